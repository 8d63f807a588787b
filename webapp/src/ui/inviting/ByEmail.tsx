import { Stack } from "@chakra-ui/react";
import type { FormEventHandler } from "react";
import type { UseFormReturn } from "react-hook-form";
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
  form: UseFormReturn<{ emails: string }>;
  /** To how many it was sent. */
  sent: number | undefined;
  onSubmit: FormEventHandler;
}

/** Mails the invitation link to up to 50 addresses at once. */
export function ByEmail({ busy, form, sent, onSubmit }: ByEmailProps) {
  const { register, formState, watch } = form;
  const count = emailsIn(watch("emails")).length;
  return (
    <Card title={t.email}>
      <form onSubmit={onSubmit} noValidate>
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
