import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { resendVerification } from "@/api/account";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { accountTexts } from "../texts";
import { rules } from "./rules";

const t = accountTexts.verify;

/**
 * The verification mail once more, to the address that is known or asked for. The answer is the same whether or not
 * there is such an account.
 */
export function Resend({ to }: { to?: string }) {
  const signedUpAs = useStore((state) => state.signedUpAs);
  const [sent, setSent] = useState(false);
  const form = useForm({ defaultValues: { email: to ?? signedUpAs ?? "" } });
  const { register, formState } = form;
  const resend = useSubmit(form, {
    send: ({ email }) => {
      setSent(false);
      return resendVerification(email.trim());
    },
    onDone: () => setSent(true),
    notAnswered: errorTexts.notAnswered.verify,
  });
  return (
    <form onSubmit={resend} noValidate>
      <Stack gap="4">
        {!to && (
          <TextField
            label={accountTexts.fields.email}
            type="email"
            autoComplete="email"
            error={formState.errors.email?.message}
            {...register("email", rules.email)}
          />
        )}
        <Button type="submit" variant="outline" fullWidth loading={formState.isSubmitting}>
          {t.resend}
        </Button>
        {sent && (
          <Note tone="success" live>
            {t.resent}
          </Note>
        )}
      </Stack>
    </form>
  );
}
