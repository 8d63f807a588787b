import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { resendVerification } from "@/api/account";
import { errorTexts } from "@/lib/texts/errors";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { accountTexts } from "../texts";
import { onField } from "./onField";
import { rules } from "./rules";

const t = accountTexts.verify;

/**
 * The verification mail once more, to the address that is known or asked for. The answer is the same whether or not
 * there is such an account.
 */
export function Resend({ to }: { to?: string }) {
  const signedUpAs = useStore((state) => state.signedUpAs);
  const [sent, setSent] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: to ?? signedUpAs ?? "" } });
  const resend = handleSubmit(async ({ email }) => {
    setSent(false);
    try {
      await resendVerification(email.trim());
      setSent(true);
    } catch (error) {
      report(error, errorTexts.notAnswered.verify, onField(["email"], setError));
    }
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
