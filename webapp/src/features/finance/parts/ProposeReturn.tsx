import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { proposeReturn } from "@/api/finance";
import type { Unmatched } from "@/api/types";
import { report, succeed } from "@/store/report";
import { Button } from "@/ui/Button";
import { LongField, TextField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const REASON_MIN = 5;
const REASON_MAX = 200;

interface ReturnProps {
  arrival: Unmatched;
  onChanged: (next: Unmatched) => void;
}

function Form({ arrival, onChanged }: ReturnProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { payoutId: "", reason: "" } });
  const submit = handleSubmit(async ({ payoutId, reason }) => {
    try {
      const { value, message } = await proposeReturn(arrival.id, payoutId.trim(), reason.trim());
      succeed(message);
      onChanged(value);
    } catch (error) {
      report(error, undefined, (field, text) => {
        if (field !== "payoutId" && field !== "reason") return false;
        setError(field, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  const { errors, isSubmitting } = formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p textStyle="body">{t.returnLead}</chakra.p>
        <TextField
          label={t.returnOf}
          autoComplete="off"
          error={errors.payoutId?.message}
          {...register("payoutId", { validate: (payoutId) => payoutId.trim() !== "" || t.returnFault })}
        />
        <LongField
          label={t.why}
          help={t.whyHelp}
          maxLength={REASON_MAX}
          error={errors.reason?.message}
          {...register("reason", { validate: (reason) => reason.trim().length >= REASON_MIN || t.whyFault })}
        />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t.send}
        </Button>
      </Stack>
    </form>
  );
}

/** Says which payout an arrival is the return of; somebody else must agree. */
export function ProposeReturn({ arrival, onChanged }: ReturnProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        aria-label={t.proposeReturnIt(arrival.reference || arrival.providerRef || "")}
        onClick={() => setOpen(true)}
      >
        {t.proposeReturn}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.proposeReturn}>
        <Form
          arrival={arrival}
          onChanged={(next) => {
            setOpen(false);
            onChanged(next);
          }}
        />
      </Modal>
    </>
  );
}
