import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { sendInvitations } from "@/api/groups";
import { useAct } from "@/features/group";
import { emailsIn, isEmail } from "@/lib/emails";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { LongField } from "@/ui/form/fields";
import { inviteTexts as t } from "../texts";

const MOST = 50;

function check(text: string): true | string {
  const found = emailsIn(text);
  if (found.length === 0) return t.emailsNone;
  if (found.length > MOST) return t.emailsMany;
  const wrong = found.find((address) => !isEmail(address));
  return wrong === undefined || t.emailsWrong(wrong);
}

/** Mails the invitation link to up to 50 addresses at once. */
export function InviteByEmail({ groupId }: { groupId: string }) {
  const userEmail = useStore((state) => state.session?.email ?? "");
  const { busy, act } = useAct(groupId);
  const [sent, setSent] = useState<number>();
  const { register, handleSubmit, formState, reset, watch } = useForm({ defaultValues: { emails: "" } });
  const count = emailsIn(watch("emails")).length;
  const submit = handleSubmit(async ({ emails }) => {
    const list = emailsIn(emails);
    const done = await act(`invite:${groupId}:${list.join()}`, (key) =>
      sendInvitations(key, { groupId, emails: list, userEmail }),
    );
    if (!done) return;
    setSent(done.value.sent);
    reset();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="4">
        {sent !== undefined && (
          <Note tone="success" live>
            {t.sent(sent)}
          </Note>
        )}
        <LongField
          label={t.emails}
          help={t.emailsHelp}
          rows={4}
          autoCapitalize="none"
          spellCheck={false}
          error={formState.errors.emails?.message}
          {...register("emails", { validate: check })}
        />
        <Button type="submit" fullWidth loading={busy !== undefined}>
          {count > 0 && count <= MOST ? t.sendCount(count) : t.send}
        </Button>
      </Stack>
    </form>
  );
}
