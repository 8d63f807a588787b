import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { closeAccount } from "@/api/security";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { TextField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { securityTexts } from "../texts";

const t = securityTexts.close;

function useClosing(email: string) {
  const leave = useStore((state) => state.leave);
  const [refused, setRefused] = useState<string>();
  const form = useForm({ defaultValues: { email: "" } });
  const close = useSubmit(form, {
    send: (typed) => {
      setRefused(undefined);
      return closeAccount(typed.email.trim());
    },
    onDone: ({ message }) => {
      succeed(message);
      leave("closed");
    },
    onFailed: ({ certain, cancelled, expired, field }, text) => {
      if (!certain || cancelled || expired || field === "email") return false;
      setRefused(text);
      return true;
    },
  });
  const field = form.register("email", {
    validate: (typed) => typed.trim().toLowerCase() === email.toLowerCase() || t.fault,
  });
  const { errors, isSubmitting } = form.formState;
  return { close, field, refused, fault: errors.email?.message, closing: isSubmitting };
}

function Closing({ email, onClose }: { email: string; onClose: () => void }) {
  const { close, field, refused, fault, closing } = useClosing(email);
  return (
    <form onSubmit={close} noValidate>
      <Stack gap="4">
        <chakra.ul ps="5" listStyleType="disc" textStyle="body">
          {t.consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </chakra.ul>
        {refused && (
          <Note tone="warning" title={t.refused} live>
            {refused}
          </Note>
        )}
        <TextField label={t.label(email)} type="email" autoComplete="off" error={fault} {...field} />
        <Button type="submit" variant="danger" fullWidth loading={closing}>
          {t.submit}
        </Button>
        <Button variant="outline" fullWidth onClick={onClose}>
          {t.keep}
        </Button>
      </Stack>
    </form>
  );
}

/** For ever: said plainly, typed out, and confirmed. */
export function CloseAccount() {
  const email = useStore((state) => state.session?.email ?? "");
  const [open, setOpen] = useState(false);
  return (
    <Card title={t.title}>
      <Stack gap="4" align="flex-start">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t.open}
        </Button>
      </Stack>
      <Modal open={open} onClose={() => setOpen(false)} title={t.dialog}>
        <Closing email={email} onClose={() => setOpen(false)} />
      </Modal>
    </Card>
  );
}
