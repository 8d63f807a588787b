import { Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Ajo } from "@/api/schema.gen";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { type AjoDraft, draftOf } from "../create/draft";
import { changeTexts as t } from "../texts";

interface ChangingProps {
  ajo: Ajo;
  title: string;
  text: string;
  yes: string;
  fields: (form: UseFormReturn<AjoDraft>) => ReactNode;
  /** The form stays while it answers undefined. */
  onSave: (draft: AjoDraft) => Promise<unknown>;
}

function Form({ ajo, text, yes, fields, onSave, onClose }: ChangingProps & { onClose: () => void }) {
  const form = useForm<AjoDraft>({ defaultValues: draftOf(ajo) });
  const save = useSubmit(form, { send: onSave, onDone: onClose });
  const busy = form.formState.isSubmitting;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="5">
        <p>{text}</p>
        {fields(form)}
        <Flex gap="3" justify="flex-end" wrap="wrap">
          <Button variant="outline" disabled={busy} onClick={onClose}>
            {t.no}
          </Button>
          <Button type="submit" loading={busy}>
            {yes}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

/** A button that opens a form of what an open ajo's owner can change. */
export function Changing(props: ChangingProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="ghost" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {props.title}
      </Button>
      <Modal open={open} onClose={close} title={props.title}>
        <Form {...props} onClose={close} />
      </Modal>
    </>
  );
}
