import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { proposeSendBack, proposeUnmatched } from "@/api/finance";
import type { Unmatched } from "@/api/types";
import { report, succeed } from "@/store/report";
import { Button } from "@/ui/Button";
import { LongField, TextField } from "@/ui/form/fields";
import { Modal } from "@/ui/overlays";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;
const REASON_MIN = 5;
const REASON_MAX = 200;

interface ProposeProps {
  arrival: Unmatched;
  /** It goes back to the account that it came from. */
  back?: boolean;
  onChanged: (next: Unmatched) => void;
}

function Form({ arrival, back = false, onChanged }: ProposeProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "", reason: "" } });
  const submit = handleSubmit(async ({ email, reason }) => {
    try {
      const { value, message } = await (back
        ? proposeSendBack(arrival.id, reason.trim())
        : proposeUnmatched(arrival.id, email.trim(), reason.trim()));
      succeed(message);
      onChanged(value);
    } catch (error) {
      report(error, undefined, (field, text) => {
        if (field !== "email" && field !== "reason") return false;
        setError(field, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  const { errors, isSubmitting } = formState;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {back ? (
          <chakra.p textStyle="body">{t.backLead}</chakra.p>
        ) : (
          <TextField
            label={t.email}
            type="email"
            autoComplete="off"
            error={errors.email?.message}
            {...register("email", { validate: (email) => email.includes("@") || t.emailFault })}
          />
        )}
        <LongField
          label={back ? t.backWhy : t.why}
          help={t.whyHelp}
          maxLength={REASON_MAX}
          error={errors.reason?.message}
          {...register("reason", {
            validate: (reason) => reason.trim().length >= REASON_MIN || (back ? t.backFault : t.whyFault),
          })}
        />
        <Button type="submit" size="lg" fullWidth loading={isSubmitting}>
          {t.send}
        </Button>
      </Stack>
    </form>
  );
}

/** Says whose an arrival is, or that it goes back to its sender; somebody else must agree. */
export function Propose({ arrival, back = false, onChanged }: ProposeProps) {
  const [open, setOpen] = useState(false);
  const named = arrival.reference || arrival.providerRef || "";
  return (
    <>
      <Button
        size="sm"
        variant={back ? "outline" : "primary"}
        aria-label={back ? t.backIt(named) : t.proposeIt(named)}
        onClick={() => setOpen(true)}
      >
        {back ? t.back : t.propose}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={back ? t.back : t.propose}>
        <Form
          arrival={arrival}
          back={back}
          onChanged={(next) => {
            setOpen(false);
            onChanged(next);
          }}
        />
      </Modal>
    </>
  );
}
