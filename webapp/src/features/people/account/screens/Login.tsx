import { chakra, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useLocation, useSearchParams } from "react-router";
import { invitationAt } from "@/lib/invitations";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PasswordField, TextField } from "@/ui/form/fields";
import { PublicPage } from "@/ui/PublicPage";
import { Resend } from "../parts/Resend";
import { normalizeCode, rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.login;
const { fields } = accountTexts;

interface LoginForm {
  email: string;
  password: string;
  code: string;
  shared: boolean;
}

function Notes() {
  const ended = useStore((state) => state.ended);
  const [query] = useSearchParams();
  const after = ended && t.after[ended];
  return (
    <>
      {query.has("demo") && <Note>{t.demo}</Note>}
      {after && (
        <Note tone="success" live>
          {after}
        </Note>
      )}
    </>
  );
}

/** The second step, on the same screen: what was typed before it stays. */
function CodeField({ register, formState, setFocus }: UseFormReturn<LoginForm>) {
  useEffect(() => setFocus("code"), [setFocus]);
  return (
    <TextField
      label={t.code}
      help={t.codeHelp}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      error={formState.errors.code?.message}
      {...register("code", rules.code)}
    />
  );
}

/** On a phone that others use too, nothing is kept. */
function Shared({ register }: UseFormReturn<LoginForm>) {
  return (
    <chakra.label display="flex" gap="3" alignItems="center" minHeight="11" cursor="pointer">
      <chakra.input type="checkbox" boxSize="5" flexShrink="0" accentColor="brand" {...register("shared")} />
      <span>
        <chakra.span display="block" textStyle="body">
          {t.shared}
        </chakra.span>
        <chakra.span display="block" textStyle="small" color="fg.muted">
          {t.sharedHelp}
        </chakra.span>
      </span>
    </chakra.label>
  );
}

interface Turns {
  onCodeWanted: () => void;
  /** The password is right, and the address waits to be verified. */
  onUnverified: (email?: string) => void;
}

function useLogin(form: UseFormReturn<LoginForm>, { onCodeWanted, onUnverified }: Turns, codeWanted: boolean) {
  const login = useStore((state) => state.login);
  return useSubmit(form, {
    send: ({ email, password, code, shared }) => {
      onUnverified(undefined);
      return login(email.trim(), password, codeWanted ? normalizeCode(code) : undefined, shared);
    },
    // The guard of this screen takes the one signed in to where they wanted to go.
    notAnswered: errorTexts.notAnswered.login,
    onFailed: ({ code, field }, _text, { email }) => {
      if (code === "FORBIDDEN") onUnverified(email.trim());
      else if (field !== "code" || codeWanted) return false;
      else onCodeWanted();
      return true;
    },
  });
}

export function Login() {
  const { state } = useLocation();
  const { email: known = "", from } = (state as { email?: string; from?: string } | null) ?? {};
  const form = useForm<LoginForm>({ defaultValues: { email: known, password: "", code: "", shared: false } });
  const [codeWanted, setCodeWanted] = useState(false);
  const [unverified, setUnverified] = useState<string>();
  const turns = { onCodeWanted: () => setCodeWanted(true), onUnverified: setUnverified };
  const submit = useLogin(form, turns, codeWanted);
  const { errors, isSubmitting } = form.formState;
  return (
    <PublicPage
      title={t.title}
      lead={invitationAt(from) ? t.invited : t.lead}
      foot={
        <>
          {t.newHere}
          <LinkButton to={paths.signup} state={state} variant="link">
            {t.create}
          </LinkButton>
        </>
      }
    >
      {unverified && (
        <Stack gap="4" mb="5">
          <Note tone="warning" title={t.unverified} live>
            {t.unverifiedText(unverified)}
          </Note>
          <Resend key={unverified} to={unverified} />
        </Stack>
      )}
      <form onSubmit={submit} noValidate>
        <Stack gap="5">
          <Notes />
          <TextField
            label={fields.email}
            type="email"
            autoComplete="username"
            error={errors.email?.message}
            {...form.register("email", rules.email)}
          />
          <PasswordField
            label={fields.password}
            autoComplete="current-password"
            error={errors.password?.message}
            {...form.register("password", rules.password)}
          />
          {codeWanted && <CodeField {...form} />}
          <Shared {...form} />
          <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
            {t.submit}
          </Button>
          <LinkButton to={paths.sendReset} variant="link">
            {t.forgotten}
          </LinkButton>
        </Stack>
      </form>
    </PublicPage>
  );
}
