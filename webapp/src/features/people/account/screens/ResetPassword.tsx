import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate, useSearchParams } from "react-router";
import { resetPassword } from "@/api/account";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PublicPage } from "@/ui/PublicPage";
import { NewPassword, type NewPasswordForm } from "../parts/NewPassword";
import { repeatOf, rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.reset;

/** A link that no longer works: the server's sentence, and what to do. */
function Spent({ said }: { said: string }) {
  return (
    <Stack gap="4">
      <Note tone="danger" title={said} live>
        {t.spent}
      </Note>
      <LinkButton to={paths.sendReset} fullWidth>
        {t.newLink}
      </LinkButton>
    </Stack>
  );
}

function Choose({ token }: { token: string }) {
  const leave = useStore((state) => state.leave);
  const navigate = useNavigate();
  const [spent, setSpent] = useState<string>();
  const form = useForm<NewPasswordForm>({ defaultValues: { newPassword: "", repeat: "" } });
  const { register, formState, getValues } = form;
  const save = useSubmit(form, {
    send: ({ newPassword }) => resetPassword(token, newPassword),
    onDone: ({ message }) => {
      succeed(message);
      leave("password");
      navigate(paths.login);
    },
    notAnswered: errorTexts.notAnswered.resetPassword,
    onFailed: ({ code, field }, text) => {
      if (code !== "CREDENTIALS" && field !== "token") return false;
      setSpent(text);
      return true;
    },
  });

  if (spent) return <Spent said={spent} />;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="5">
        <NewPassword
          newPassword={register("newPassword", rules.newPassword)}
          repeat={register(
            "repeat",
            repeatOf(() => getValues("newPassword")),
          )}
          errors={formState.errors}
        />
        <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}

/** Opened from the mail. The link is spent by the button alone: a scanner that opens it changes nothing. */
export function ResetPassword() {
  const [query] = useSearchParams();
  const token = query.get("token");
  return (
    <PublicPage title={t.title} lead={token ? t.lead : t.missing}>
      {token ? (
        <Choose token={token} />
      ) : (
        <LinkButton to={paths.sendReset} fullWidth>
          {t.newLink}
        </LinkButton>
      )}
    </PublicPage>
  );
}
