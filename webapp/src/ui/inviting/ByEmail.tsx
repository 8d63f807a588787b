import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { emailsIn, isEmail } from "@/lib/emails";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { LongField } from "@/ui/form/fields";
import { invitingTexts as t } from "./texts";

const MOST = 50;

function check(text: string): true | string {
  const found = emailsIn(text);
  if (found.length === 0) return t.emailsNone;
  if (found.length > MOST) return t.emailsMany;
  const wrong = found.find((address) => !isEmail(address));
  return wrong === undefined || t.emailsWrong(wrong);
}

interface ByEmailProps {
  busy: boolean;
  /** Answers how many were sent; undefined where it was refused. */
  onSend: (emails: string[]) => Promise<number | undefined>;
}

/** Mails the invitation link to up to 50 addresses at once. */
export function ByEmail({ busy, onSend }: ByEmailProps) {
  const [sent, setSent] = useState<number>();
  const { register, handleSubmit, formState, reset, watch } = useForm({ defaultValues: { emails: "" } });
  const count = emailsIn(watch("emails")).length;
  const submit = handleSubmit(async ({ emails }) => {
    const done = await onSend(emailsIn(emails));
    if (done === undefined) return;
    setSent(done);
    reset();
  });
  return (
    <Card title={t.email}>
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
          <Button type="submit" fullWidth loading={busy}>
            {count > 0 && count <= MOST ? t.sendCount(count) : t.send}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
