import { chakra, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { Group, Member } from "@/api/types";
import { fullName } from "@/lib/person";
import { errorTexts } from "@/lib/texts/errors";
import { groupTexts as t } from "@/lib/texts/savings";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { SelectField } from "@/ui/fields";
import { Modal } from "@/ui/overlays";
import { Person } from "@/ui/Person";
import { mayApprove } from "./useGroup";

function ValidatorForm({ group, candidates, onDone }: { group: Group; candidates: Member[]; onDone: () => void }) {
  const setValidator = useStore((state) => state.setValidator);
  const [fault, setFault] = useState<string>();
  const { state, run } = useIntent({
    name: `validator:${group.id}`,
    send: (key: string, memberId: string) => setValidator(key, group.id, memberId),
  });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      const message = await run(String(new FormData(event.currentTarget).get("member")));
      if (message === undefined) return;
      succeed(message);
      onDone();
    } catch (error) {
      report(error, errorTexts.notAnswered.validator, (field, text) => {
        if (field !== "memberId") return false;
        setFault(text);
        return true;
      });
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="5">
        <chakra.p color="fg.muted">{t.validatorLead}</chakra.p>
        <SelectField label={t.validatorLabel} name="member" defaultValue={group.validatorId} error={fault}>
          {candidates.map((member) => (
            <option key={member.userId} value={member.userId}>
              {fullName(member)}
            </option>
          ))}
        </SelectField>
        <Button type="submit" size="lg" fullWidth loading={state === "sending"}>
          {t.setValidator}
        </Button>
      </Stack>
    </form>
  );
}

function SetValidator({ group }: { group: Group }) {
  const [open, setOpen] = useState(false);
  const own = useStore((state) => state.session?.id);
  const candidates = (group.members ?? []).filter((member) => member.status === "ACTIVE" && member.userId !== own);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        {group.validatorId ? t.changeValidator : t.setValidator}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.setValidator}>
        {candidates.length === 0 ? (
          <Note>{t.validatorNone}</Note>
        ) : (
          <ValidatorForm group={group} candidates={candidates} onDone={() => setOpen(false)} />
        )}
      </Modal>
    </>
  );
}

/** Owner, approvers and validator, and the way to name the last. */
export function Officials({ group }: { group: Group }) {
  const officials = (group.members ?? []).filter((member) => member.role !== "MEMBER" && member.status === "ACTIVE");
  return (
    <Card title={t.officials} action={mayApprove(group) && <SetValidator group={group} />}>
      <Stack gap="4">
        {officials.map((member) => (
          <Person key={member.userId} id={member.userId} name={fullName(member)} detail={t.roles[member.role]} />
        ))}
        {!group.validatorId && (
          <chakra.p textStyle="body" color="fg.muted">
            {t.noValidator}
          </chakra.p>
        )}
      </Stack>
    </Card>
  );
}
