import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { asFailure, failureText } from "@/api/failure";
import { closeAccount } from "@/api/security";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
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
  const close = form.handleSubmit(async (typed) => {
    setRefused(undefined);
    try {
      succeed((await closeAccount(typed.email.trim())).message);
      leave("closed");
    } catch (error) {
      const failure = asFailure(error);
      if (failure.field === "email") form.setError("email", { message: failureText(failure) }, { shouldFocus: true });
      else if (failure.certain && !failure.cancelled && !failure.expired) setRefused(failureText(failure));
      else report(failure);
    }
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
