import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { asFailure, failureText } from "@/api/failure";
import { addMember } from "@/api/groups";
import { isEmail } from "@/lib/emails";
import { errorTexts } from "@/lib/texts/errors";
import { sendCommand } from "@/store/command";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { PlusIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { addTexts as t } from "../texts";

function AddForm({ groupId, onDone }: { groupId: string; onDone: () => void }) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "" } });
  const refreshGroup = useStore((state) => state.refreshGroup);
  const submit = handleSubmit(async ({ email }) => {
    const address = email.trim();
    try {
      const command = { name: `add:${groupId}:${address}`, free: true };
      succeed((await sendCommand(command, (key) => addMember(key, groupId, address))).message);
      refreshGroup(groupId);
      onDone();
    } catch (error) {
      const failure = asFailure(error);
      if (failure.certain && failure.field === "email") {
        setError("email", { message: failureText(failure) }, { shouldFocus: true });
      } else report(failure, errorTexts.notAnswered.addMember);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <TextField
          label={t.email}
          type="email"
          autoComplete="off"
          maxLength={320}
          error={formState.errors.email?.message}
          {...register("email", { validate: (email) => isEmail(email.trim()) || t.emailFault })}
        />
        <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}

/** Invites one person by their email. */
export function AddMember({ groupId }: { groupId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<PlusIcon />} onClick={() => setOpen(true)}>
        {t.button}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <AddForm groupId={groupId} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
