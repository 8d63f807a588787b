import { Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { ProposeRemedyRequest, Remedy, RemedyMember } from "@/api/schema.gen";
import { proposeRemedyLimits } from "@/lib/limits.gen";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Choice } from "@/ui/form/Choice";
import { LongField, TextField } from "@/ui/form/fields";
import { remedyTexts as t } from "../texts";
import { MemberFacts } from "./MemberFacts";

const REASON_MIN = 10;
const { max: REASON_MAX } = proposeRemedyLimits.reason;

/** What somebody types is Lagos time, which is an hour ahead of UTC all the year. */
const instant = (local: string) => new Date(`${local}+01:00`).toISOString();

interface ProposeProps {
  member: RemedyMember;
  kase: string;
  onPropose: (form: ProposeRemedyRequest) => Promise<boolean>;
  onDone: () => void;
}

/** Proposes to give a member their account back, or to let another BVN in. */
export function Propose({ member, kase, onPropose, onDone }: ProposeProps) {
  const [kind, setKind] = useState<Remedy["kind"]>("GIVE_BACK");
  const [ready, setReady] = useState<ProposeRemedyRequest>();
  const form = useForm({ defaultValues: { newEmail: "", since: "", reason: "" } });
  const { register } = form;
  const { errors } = form.formState;
  const gives = kind === "GIVE_BACK";
  const submit = useSubmit(form, {
    onReview: ({ newEmail, since, reason }) => {
      const remedy = { userId: member.userId, kind, case: kase, reason: reason.trim() };
      setReady(gives ? { ...remedy, newEmail: newEmail.trim(), since: instant(since) } : remedy);
    },
  });
  const kinds = (["GIVE_BACK", "ANOTHER_BVN"] as const).filter((one) => one === "GIVE_BACK" || member.bvnKnown);
  return (
    <Card title={member.name}>
      <form onSubmit={submit} noValidate>
        <Stack gap="5" maxWidth="form">
          <MemberFacts member={member} />
          <Choice
            legend={t.kind}
            name="kind"
            value={kind}
            onChange={setKind}
            options={kinds.map((value) => ({ value, title: t.kinds[value], detail: t.does[value] }))}
          />
          {gives && (
            <>
              <TextField
                label={t.newEmail}
                help={t.newEmailHelp}
                type="email"
                autoComplete="off"
                error={errors.newEmail?.message}
                {...register("newEmail", { validate: (email) => !gives || email.includes("@") || t.newEmailFault })}
              />
              <TextField
                label={t.since}
                help={t.sinceHelp}
                type="datetime-local"
                error={errors.since?.message}
                {...register("since", { validate: (since) => !gives || since !== "" || t.sinceFault })}
              />
            </>
          )}
          <LongField
            label={t.reason}
            help={t.reasonHelp}
            maxLength={REASON_MAX}
            error={errors.reason?.message}
            {...register("reason", { validate: (reason) => reason.trim().length >= REASON_MIN || t.reasonFault })}
          />
          <Flex gap="3">
            <Button type="submit">{t.propose}</Button>
            <Button variant="outline" onClick={onDone}>
              {t.no}
            </Button>
          </Flex>
        </Stack>
      </form>
      <Confirm
        open={ready !== undefined}
        title={t.sure}
        yes={t.yes}
        no={t.no}
        onClose={() => setReady(undefined)}
        onYes={async () => {
          const done = ready !== undefined && (await onPropose(ready));
          if (done) onDone();
          return done;
        }}
      >
        {t.sureText(member.name)}
      </Confirm>
    </Card>
  );
}
