import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { appointApprover, setValidator } from "@/api/groups";
import type { Group, Member } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { useSubmit } from "@/store/useSubmit";
import { Button, type ButtonVariant } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { pickTexts, officeTexts as t } from "../texts";
import { MemberPick } from "./MemberPick";

const offices = {
  validator: {
    lead: t.validatorLead,
    send: setValidator,
    fits: ({ role }: Member) => role === "MEMBER",
  },
  approver: {
    lead: t.approverLead,
    send: appointApprover,
    fits: ({ role }: Member) => role === "MEMBER",
  },
} as const;

type Office = keyof typeof offices;

function AppointForm({ group, office, label, onDone }: AppointProps & { onDone: () => void }) {
  const { lead, send, fits } = offices[office];
  const { busy, act } = useAct(group.id);
  const form = useForm({ defaultValues: { chosen: "" } });
  const submit = useSubmit(form, {
    send: ({ chosen }) => act(`${office}:${group.id}:${chosen}`, (key) => send(key, group.id, chosen)),
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p color="fg.muted">{lead}</chakra.p>
        <Controller
          control={form.control}
          name="chosen"
          rules={{ required: pickTexts.fault }}
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <MemberPick
              groupId={group.id}
              without={(member) => !fits(member)}
              value={value || undefined}
              error={error?.message}
              onChange={onChange}
            />
          )}
        />
        <Button type="submit" size="lg" fullWidth loading={busy !== undefined}>
          {label}
        </Button>
      </Stack>
    </form>
  );
}

interface AppointProps {
  group: Group;
  office: Office;
  /** The button's words, and the dialog's. */
  label: string;
}

/** Gives a member an office. */
export function Appoint({ variant = "outline", ...props }: AppointProps & { variant?: ButtonVariant }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={props.label}>
        <AppointForm {...props} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
