import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { ProfileSection } from "@/lib/paths";
import { succeed } from "@/store/report";
import { useUnsaved } from "@/store/unsaved";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { editTexts as t } from "../texts";

interface SectionProps {
  id: ProfileSection;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** One part of the profile, which links can lead to. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <chakra.div id={id} scrollMarginTop="5rem">
      <Card title={title}>
        <Stack gap="5">
          {lead && <chakra.p color="fg.muted">{lead}</chakra.p>}
          {children}
        </Stack>
      </Card>
    </chakra.div>
  );
}

interface SaveRowProps {
  dirty: boolean;
  saving: boolean;
  label?: string;
  disabled?: boolean;
}

/** The section's own button, with what is left to do. */
export function SaveRow({ dirty, saving, label = t.save, disabled }: SaveRowProps) {
  return (
    <Flex align="center" gap="4" wrap="wrap">
      <Button type="submit" loading={saving} disabled={disabled}>
        {label}
      </Button>
      <chakra.span role="status" textStyle="small" color="fg.muted">
        {dirty ? t.unsaved : ""}
      </chakra.span>
    </Flex>
  );
}

interface Saving<F> {
  /** Answers the server's sentence. */
  save: (values: F) => Promise<string>;
  notAnswered: string;
}

/** Saves a section in place: progress on its button, faults beside their fields, and leaving asks meanwhile. */
export function useSaving<F extends FieldValues>(
  form: UseFormReturn<F>,
  { save, notAnswered }: Saving<F>,
): { submit: () => Promise<void>; dirty: boolean; saving: boolean } {
  const { isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty);
  const submit = useSubmit(form, {
    send: save,
    onDone: (message, values) => {
      succeed(message);
      form.reset(values);
    },
    notAnswered,
  });
  return { submit, dirty: isDirty, saving: isSubmitting };
}

/** Just what was changed: the rest is left as it is. */
export function changed<F extends FieldValues>(values: F, dirty: Partial<Record<keyof F, unknown>>): Partial<F> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => dirty[name])) as Partial<F>;
}
