import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { changeEmail } from "@/api/security";
import { rules } from "@/features/people/account";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { valueIn } from "@/store/source";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { TextField } from "@/ui/form/fields";
import { securityTexts } from "../texts";

const t = securityTexts.email;

export function ChangeEmail() {
  const account = useStore((state) => valueIn(state, profileSource));
  const current = useStore((state) => state.session?.email ?? "");
  const [asked, setAsked] = useState<string>();
  const form = useForm({ defaultValues: { email: "" } });
  const { register, formState, reset } = form;
  const pending = asked ?? account?.pendingEmail;
  const send = useSubmit(form, {
    send: ({ email }) => changeEmail(email.trim()),
    onDone: ({ message }, { email }) => {
      succeed(message);
      setAsked(email.trim());
      reset();
    },
    notAnswered: errorTexts.notAnswered.updateInfo,
  });
  return (
    <Card title={t.title}>
      <form onSubmit={send} noValidate>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.lead}</chakra.p>
          <chakra.p overflowWrap="anywhere">{t.current(current)}</chakra.p>
          {pending && <Note live>{t.pending(pending)}</Note>}
          <TextField
            label={t.label}
            type="email"
            autoComplete="email"
            error={formState.errors.email?.message}
            {...register("email", rules.email)}
          />
          <Flex>
            <Button type="submit" loading={formState.isSubmitting}>
              {t.submit}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Card>
  );
}
