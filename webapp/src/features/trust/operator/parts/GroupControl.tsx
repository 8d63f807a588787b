import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { type GroupVerdict, judgeGroup } from "@/api/operator";
import { reasonLimits } from "@/lib/limits.gen";
import { sendCommand } from "@/store/command";
import { told } from "@/store/reportMoney";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Choice } from "@/ui/form/Choice";
import { LongField, TextField } from "@/ui/form/fields";
import { groupAdminTexts as t } from "../texts";

interface Draft {
  which: string;
  verdict: GroupVerdict;
  reason: string;
}

const { min: REASON_MIN, max: REASON_MAX } = reasonLimits.reason;

const options = (Object.keys(t.acts) as GroupVerdict[]).map((value) => ({ value, ...t.acts[value] }));

/** The number in what was pasted: that of a group's page, or the number itself. */
const idIn = (text: string) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0].toLowerCase();

/** An Admin's word on a group: suspended, resumed, or rejected. */
export function GroupControl() {
  const form = useForm<Draft>({ defaultValues: { which: "", verdict: "suspend", reason: "" } });
  const { register, formState, reset, watch, setValue } = form;
  const [asked, setAsked] = useState<Draft>();
  const submit = useSubmit(form, { onReview: setAsked });
  const verdict = watch("verdict");
  const judge = async ({ which, verdict, reason }: Draft) => {
    const id = idIn(which) ?? "";
    const done = await told(
      sendCommand({ name: `judge:${id}`, payload: { verdict, reason: reason.trim() }, free: true }, (key) =>
        judgeGroup(key, id, verdict, reason.trim()),
      ),
    );
    if (done) reset();
    return done !== undefined;
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        <TextField
          label={t.which}
          autoComplete="off"
          error={formState.errors.which?.message}
          {...register("which", { validate: (text) => idIn(text) !== undefined || t.whichFault })}
        />
        <Choice
          legend={t.act}
          name="verdict"
          value={verdict}
          options={options}
          onChange={(value) => setValue("verdict", value)}
        />
        <LongField
          label={t.reason}
          maxLength={REASON_MAX}
          error={formState.errors.reason?.message}
          {...register("reason", { validate: (text) => text.trim().length >= REASON_MIN || t.reasonFault })}
        />
        <Flex>
          <Button type="submit">{t.go}</Button>
        </Flex>
      </Stack>
      {asked && (
        <Confirm
          open
          danger={asked.verdict !== "resume"}
          title={t.sure[asked.verdict]}
          yes={t.acts[asked.verdict].title}
          no={t.no}
          onClose={() => setAsked(undefined)}
          onYes={() => judge(asked)}
        >
          {asked.reason}
        </Confirm>
      )}
    </form>
  );
}
