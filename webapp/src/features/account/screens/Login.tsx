import { Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { useLocation, useSearchParams } from "react-router";
import { paths } from "@/app/paths";
import { accountTexts } from "@/lib/texts/account";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Doorway } from "@/ui/Doorway";
import { PasswordField, TextField } from "@/ui/fields";
import { rules } from "../parts/rules";

const t = accountTexts.login;
const { fields } = accountTexts;

export function Login() {
  const login = useStore((state) => state.login);
  const invitedTo = useStore((state) => state.invitedTo);
  const { state } = useLocation();
  const [query] = useSearchParams();
  const { register, handleSubmit, formState, setError } = useForm<{ email: string; password: string }>();

  const submit = handleSubmit(async ({ email, password }) => {
    try {
      // The guard of this screen takes the one signed in to where they wanted to go.
      succeed(await login(email.trim(), password));
    } catch (error) {
      report(error, errorTexts.notAnswered.login, (field, message) => {
        if (field !== "email" && field !== "password") return false;
        setError(field, { message });
        return true;
      });
    }
  });

  return (
    <Doorway
      title={t.title}
      lead={invitedTo ? t.invited : t.lead}
      foot={
        <>
          {t.newHere}
          <LinkButton to={paths.signup} state={state} variant="link">
            {t.create}
          </LinkButton>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="5">
          {query.has("demo") && <Note>{t.demo}</Note>}
          <TextField
            label={fields.email}
            type="email"
            autoComplete="username"
            error={formState.errors.email?.message}
            {...register("email", rules.email)}
          />
          <PasswordField
            label={fields.password}
            autoComplete="current-password"
            error={formState.errors.password?.message}
            {...register("password", rules.password)}
          />
          <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
            {t.submit}
          </Button>
        </Stack>
      </form>
    </Doorway>
  );
}
