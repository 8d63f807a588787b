import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { sendPasswordResetLink } from "@/api/account";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.sendReset;

/** Asks for the link. What it says does not tell whether there is such an account. */
export function SendReset() {
  const [sent, setSent] = useState(false);
  const form = useForm({ defaultValues: { email: "" } });
  const { register, formState } = form;
  const send = useSubmit(form, {
    send: ({ email }) => sendPasswordResetLink(email.trim()),
    onDone: ({ message }) => {
      succeed(message || t.sent);
      setSent(true);
    },
    notAnswered: errorTexts.notAnswered.sendReset,
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
