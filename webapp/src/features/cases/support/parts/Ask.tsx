import { chakra, Flex, Stack } from "@chakra-ui/react";
import { Controller, useForm } from "react-hook-form";
import { lengthOf, Words } from "@/features/cases/disputes";
import { disputeWordsLimits } from "@/lib/limits.gen";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { caseTexts as t } from "../texts";

const { min: WORDS_MIN } = disputeWordsLimits.words;

interface AskProps {
  open: boolean;
  onClose: () => void;
  /** Whether it was sent: the question stays otherwise. */
  onAsk: (words: string) => Promise<boolean>;
}

/** A question to the member, which stops the clock. */
export function Ask({ open, onClose, onAsk }: AskProps) {
  const form = useForm({ defaultValues: { words: "" }, reValidateMode: "onSubmit" });
  const submit = useSubmit(form, {
    send: async ({ words }) => (await onAsk(words.trim())) || undefined,
    onDone: () => {
      form.reset();
      onClose();
    },
  });
  const { isSubmitting: busy } = form.formState;
  return (
    <Modal open={open} onClose={onClose} title={t.askTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.askLead}</chakra.p>
          <Controller
            control={form.control}
            name="words"
            rules={{ validate: (words) => lengthOf(words) >= WORDS_MIN || t.askFault }}
            render={({ field: { value, onChange }, fieldState: { error } }) => (
              <Words label={t.askLabel} value={value} error={error?.message} disabled={busy} onChange={onChange} />
            )}
          />
          <Flex gap="3" wrap="wrap">
            <Button variant="outline" disabled={busy} onClick={onClose}>
              {t.no}
            </Button>
            <Button type="submit" loading={busy}>
              {t.askYes}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Modal>
  );
}
