import { SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useLocation } from "react-router";
import { lagosDay, latestBirthday, shortDay } from "@/lib/dates";
import { invitationAt } from "@/lib/invitations";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { PasswordField, TextField } from "@/ui/form/fields";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { Resend } from "../parts/Resend";
import { normalizePhone, rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.signup;
const { fields } = accountTexts;

interface SignupForm {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  dateOfBirth: string;
  password: string;
}

const requestOf = (typed: SignupForm) => ({
  ...typed,
  firstName: typed.firstName.trim(),
  lastName: typed.lastName.trim(),
  email: typed.email.trim(),
  phone: normalizePhone(typed.phone),
});

function Sent({ email }: { email: string }) {
  return (
    <PublicPage title={t.sentTitle} picture={<Letter />} lead={t.sent}>
      <Stack gap="5">
        <p>{t.sentTo(email)}</p>
        <p>{accountTexts.verify.resendLead}</p>
        <Resend to={email} />
        <LinkButton to={paths.login} state={{ email }} variant="link">
          {t.login}
        </LinkButton>
      </Stack>
    </PublicPage>
  );
}

export function Signup() {
  const signup = useStore((state) => state.signup);
  const { state } = useLocation();
  const invitation = invitationAt((state as { from?: string } | null)?.from);
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm<SignupForm>();
  const { register, formState } = form;
  const { errors } = formState;
  const today = lagosDay();

  const send = useSubmit(form, {
    send: (typed) => signup({ ...requestOf(typed), ...invitation }),
    onDone: (message, typed) => {
      succeed(message || t.done, message.includes(t.sent) ? undefined : t.sent);
      setSentTo(typed.email.trim());
    },
    notAnswered: errorTexts.notAnswered.signup,
  });

  if (sentTo) return <Sent email={sentTo} />;
  return (
    <PublicPage
      wide
      title={t.title}
      lead={invitation ? t.invited : t.lead}
      foot={
        <>
          {t.haveOne}
          <LinkButton to={paths.login} state={state} variant="link">
            {t.login}
          </LinkButton>
        </>
      }
    >
      <form onSubmit={send} noValidate>
        <Stack gap="5">
          <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
            <TextField
              label={fields.firstName}
              autoComplete="given-name"
              error={errors.firstName?.message}
              {...register("firstName", rules.firstName)}
            />
            <TextField
              label={fields.lastName}
              autoComplete="family-name"
              error={errors.lastName?.message}
              {...register("lastName", rules.lastName)}
            />
          </SimpleGrid>
          <TextField
            label={fields.email}
            type="email"
            autoComplete="email"
            error={errors.email?.message}
            {...register("email", rules.email)}
          />
          <TextField
            label={fields.phone}
            type="tel"
            autoComplete="tel"
            help={fields.phoneHelp}
            error={errors.phone?.message}
            {...register("phone", rules.phone)}
          />
          <TextField
            label={fields.dateOfBirth}
            type="date"
            autoComplete="bday"
            max={today}
            help={t.dateHelp(shortDay(today), shortDay(latestBirthday(today)))}
            error={errors.dateOfBirth?.message}
            {...register("dateOfBirth", rules.dateOfBirth)}
          />
          <PasswordField
            label={fields.password}
            autoComplete="new-password"
            help={fields.passwordHelp}
            error={errors.password?.message}
            {...register("password", rules.newPassword)}
          />
          <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
            {t.submit}
          </Button>
        </Stack>
      </form>
    </PublicPage>
  );
}
