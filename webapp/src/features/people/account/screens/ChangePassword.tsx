import { Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { changePassword } from "@/api/security";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { PasswordField } from "@/ui/form/fields";
import { NewPassword, type NewPasswordForm } from "../parts/NewPassword";
import { repeatOf, rules } from "../parts/rules";
import { accountTexts } from "../texts";

const t = accountTexts.change;

interface ChangeForm extends NewPasswordForm {
  currentPassword: string;
}

export function ChangePassword() {
  const session = useStore((state) => state.session);
  const leave = useStore((state) => state.leave);
  const form = useForm<ChangeForm>({ defaultValues: { currentPassword: "", newPassword: "", repeat: "" } });
  const { register, formState, getValues } = form;
  const change = useSubmit(form, {
    send: async ({ currentPassword, newPassword }) =>
      session ? changePassword(session.email, session.id, currentPassword, newPassword) : undefined,
    onDone: ({ message }) => {
      succeed(message);
      // The guard of this screen leads to the login, which says why.
      leave("password");
    },
    notAnswered: errorTexts.notAnswered.changePassword,
  });

  return (
    <Stack gap="0" maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} />
      <Card>
        <form onSubmit={change} noValidate>
          <Stack gap="5">
            <PasswordField
              label={t.current}
              autoComplete="current-password"
              error={formState.errors.currentPassword?.message}
              {...register("currentPassword", rules.password)}
            />
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
            <LinkButton to={paths.security} variant="link">
              {t.back}
            </LinkButton>
          </Stack>
        </form>
      </Card>
    </Stack>
  );
}
