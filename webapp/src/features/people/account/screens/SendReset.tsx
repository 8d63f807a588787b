import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { sendPasswordResetLink } from "@/api/account";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { Button, LinkButton } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { onField } from "../parts/onField";
import { rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.sendReset;

/** Asks for the link. What it says does not tell whether there is such an account. */
export function SendReset() {
  const [sent, setSent] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "" } });
  const send = handleSubmit(async ({ email }) => {
    try {
      succeed((await sendPasswordResetLink(email.trim())).message || t.sent);
      setSent(true);
    } catch (error) {
      report(error, errorTexts.notAnswered.sendReset, onField(["email"], setError));
    }
  });
  return (
    <PublicPage
      title={sent ? t.sentTitle : t.title}
      lead={sent ? t.sent : t.lead}
      picture={sent && <Letter />}
      foot={
        <LinkButton to={paths.login} variant="link">
          {t.login}
        </LinkButton>
      }
    >
      <form onSubmit={send} noValidate>
        <Stack gap="5">
          {sent && <p>{t.notYours}</p>}
          <TextField
            label={accountTexts.fields.email}
            type="email"
            autoComplete="username"
            error={formState.errors.email?.message}
            {...register("email", rules.email)}
          />
          <Button
            type="submit"
            size="lg"
            fullWidth
            variant={sent ? "outline" : "primary"}
            loading={formState.isSubmitting}
          >
            {sent ? t.again : t.submit}
          </Button>
        </Stack>
      </form>
    </PublicPage>
  );
}
