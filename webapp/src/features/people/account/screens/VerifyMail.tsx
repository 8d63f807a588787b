import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate, useSearchParams } from "react-router";
import type { VerifiedEmail } from "@/api/schema.gen";
import { invitationPath } from "@/lib/invitations";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PasswordField } from "@/ui/form/fields";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { Resend } from "../parts/Resend";
import { rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.verify;

function Confirm({ token, onDone }: { token: string; onDone: (verified: VerifiedEmail) => void }) {
  const verifyEmail = useStore((state) => state.verifyEmail);
  const navigate = useNavigate();
  const [fault, setFault] = useState<string>();
  const form = useForm<{ password: string }>();
  const { register, formState } = form;
  const verify = useSubmit(form, {
    send: ({ password }) => {
      setFault(undefined);
      return verifyEmail(token, password);
    },
    onDone: ({ message, verified, in: entered }) => {
      succeed(message || t.doneTitle);
      if (!entered) return onDone(verified);
      navigate(invitationPath(verified) ?? paths.dashboard, { replace: true });
    },
    notAnswered: errorTexts.notAnswered.verify,
    onFailed: ({ certain, field }, text) => {
      if (!certain || field === "password") return false;
      setFault(text);
      return true;
    },
  });

  return (
    <Stack gap="5">
      <form onSubmit={verify} noValidate>
        <Stack gap="5">
          {fault && (
            <Note tone="danger" live>
              {fault}
            </Note>
          )}
          <PasswordField
            label={t.password}
            autoComplete="current-password"
            error={formState.errors.password?.message}
            {...register("password", rules.password)}
          />
          <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
            {t.submit}
          </Button>
        </Stack>
      </form>
      {fault && (
        <>
          <chakra.h2 textStyle="section">{t.again}</chakra.h2>
          <Resend />
        </>
      )}
    </Stack>
  );
}

/** The token is spent with the password alone: a mail scanner that opens the link changes nothing. */
export function VerifyMail() {
  const [query] = useSearchParams();
  const [verified, setVerified] = useState<VerifiedEmail>();
  const token = query.get("token");

  if (verified) {
    const { email } = verified;
    return (
      <PublicPage title={t.doneTitle} picture={<Letter />} lead={t.done}>
        <LinkButton to={paths.login} state={{ email, from: invitationPath(verified) }} size="lg" fullWidth>
          {t.login}
        </LinkButton>
      </PublicPage>
    );
  }
  if (!token) {
    return (
      <PublicPage title={t.title} picture={<Letter />} lead={t.missing}>
        <Stack gap="5">
          <p>{t.resendLead}</p>
          <Resend />
          <LinkButton to={paths.login} variant="link">
            {t.login}
          </LinkButton>
        </Stack>
      </PublicPage>
    );
  }
  return (
    <PublicPage title={t.title} picture={<Letter />} lead={t.lead}>
      <Confirm token={token} onDone={setVerified} />
    </PublicPage>
  );
}
