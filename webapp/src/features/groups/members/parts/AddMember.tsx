import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { addMember } from "@/api/groups";
import { isEmail } from "@/lib/emails";
import { addGroupMemberLimits } from "@/lib/limits.gen";
import { errorTexts } from "@/lib/texts/errors";
import { sendCommand } from "@/store/command";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { PlusIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { addTexts as t } from "../texts";

function AddForm({ groupId, onDone }: { groupId: string; onDone: () => void }) {
  const form = useForm({ defaultValues: { email: "" } });
  const { register, formState } = form;
  const refreshGroup = useStore((state) => state.refreshGroup);
  const submit = useSubmit(form, {
    send: ({ email }) => {
      const address = email.trim();
      const command = { name: `add:${groupId}:${address}`, free: true };
      return sendCommand(command, (key) => addMember(key, groupId, address));
    },
    onDone: ({ message }) => {
      succeed(message);
      refreshGroup(groupId);
      onDone();
    },
    notAnswered: errorTexts.notAnswered.addMember,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <TextField
          label={t.email}
          type="email"
          autoComplete="off"
          maxLength={addGroupMemberLimits.email.max}
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
