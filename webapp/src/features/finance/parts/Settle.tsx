import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { settleHeld } from "@/api/finance";
import type { Unmatched } from "@/api/types";
import { moment } from "@/lib/dates";
import { report, succeed } from "@/store/report";
import { Button } from "@/ui/Button";
import { LongField, SelectField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const REASON_MIN = 5;
const REASON_MAX = 200;
const OTHER = "other";

interface SettleProps {
  arrival: Unmatched;
  onChanged: (next: Unmatched) => void;
}

function Form({ arrival, onChanged }: SettleProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { which: "", reason: "" } });
  const submit = handleSubmit(async ({ which, reason }) => {
    try {
      const { value, message } = await settleHeld(arrival.id, reason.trim(), which === OTHER ? undefined : which);
      succeed(message);
      onChanged(value);
    } catch (error) {
      report(error, undefined, (field, text) => {
        if (field !== "reason" && field !== "paymentId") return false;
        setError(field === "reason" ? "reason" : "which", { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  const { errors, isSubmitting } = formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p textStyle="body">{t.settleLead}</chakra.p>
        <SelectField
          label={t.settleWhich}
          error={errors.which?.message}
          {...register("which", { validate: (which) => which !== "" || t.settleFault })}
        >
          <option value="" />
          {arrival.likely?.map(({ paymentId, paidAt }) => (
            <option key={paymentId} value={paymentId}>
              {t.settleOf(paymentId, moment(paidAt))}
            </option>
          ))}
          <option value={OTHER}>{t.settleOther}</option>
        </SelectField>
        <LongField
          label={t.why}
          help={t.settleWhyHelp}
          maxLength={REASON_MAX}
          error={errors.reason?.message}
          {...register("reason", { validate: (reason) => reason.trim().length >= REASON_MIN || t.whyFault })}
        />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t.settleSend}
        </Button>
      </Stack>
    </form>
  );
}

/** Held money: whether we have it already. */
export function Settle({ arrival, onChanged }: SettleProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        aria-label={t.settleIt(arrival.reference || arrival.providerRef || "")}
        onClick={() => setOpen(true)}
      >
        {t.settle}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.settle}>
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
