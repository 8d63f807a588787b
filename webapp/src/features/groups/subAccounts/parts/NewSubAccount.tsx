import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { PaymentFrequency, PaymentType } from "@/api/schema.gen";
import { checkAmount, descriptionRule, groupTexts, nameRule } from "@/features/groups/frame";
import { parseAmount, toNaira } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { frequencyWords, typeWords } from "@/lib/texts/money";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Choice } from "@/ui/form/Choice";
import { AmountField, LongField, SelectField, Switch, TextField } from "@/ui/form/fields";
import { PlusIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { subAccountTexts } from "../texts";
import { freshLate, type LateDraft, LateTermsFields, lateTerms } from "./LateTerms";

const t = subAccountTexts.form;

interface Draft extends LateDraft {
  name: string;
  description: string;
  paymentType: PaymentType;
  paymentFrequency: PaymentFrequency;
  amountPayable: string;
  showTotalToMembers: boolean;
}

const types = (Object.keys(typeWords) as PaymentType[]).map((value) => ({ value, ...typeWords[value] }));
const frequencies = Object.entries(frequencyWords).filter(([value]) => value !== "ONE_TIME");
const fresh: Draft = {
  name: "",
  description: "",
  paymentType: "FIXED",
  paymentFrequency: "MONTHLY",
  amountPayable: "",
  showTotalToMembers: true,
  ...freshLate,
};

/** A draft as the server takes it. */
function bodyOf(draft: Draft, kobo: number) {
  const { name, description, paymentType, paymentFrequency, showTotalToMembers } = draft;
  return {
    name: name.trim(),
    description: description.trim(),
    paymentType,
    paymentFrequency: paymentType === "ONE_OFF" ? ("ONE_TIME" as const) : paymentFrequency,
    amountPayable: toNaira(kobo),
    showTotalToMembers,
    // Nothing falls due in a flexible one, so nothing is ever late.
    ...(paymentType === "FLEXIBLE" ? {} : lateTerms(draft)),
  };
}

function SubAccountForm({ groupId, onDone }: { groupId: string; onDone: () => void }) {
  const createSubAccount = useStore((state) => state.createSubAccount);
  const form = useForm<Draft>({ defaultValues: fresh });
  const { register, control, formState, handleSubmit, setError } = form;
  const { state, run } = useCommand({ name: `subAccount:${groupId}`, send: createSubAccount });
  const type = form.watch("paymentType");

  const submit = handleSubmit(async (draft) => {
    const parsed = parseAmount(draft.amountPayable);
    if ("fault" in parsed) return;
    try {
      const message = await run({ groupSavingsId: groupId, ...bodyOf(draft, parsed.kobo) });
      if (message === undefined) return;
      succeed(message);
      onDone();
    } catch (error) {
      report(error, errorTexts.notAnswered.createSubAccount, (field, text) => {
        if (!(field in draft)) return false;
        setError(field as keyof Draft, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <TextField
          label={t.name}
          placeholder={t.namePlaceholder}
          maxLength={60}
          error={formState.errors.name?.message}
          {...register("name", nameRule)}
        />
        <AmountField
          label={t.amount}
          placeholder="0.00"
          error={formState.errors.amountPayable?.message}
          {...register("amountPayable", { validate: checkAmount })}
        />
        <Controller
          control={control}
          name="paymentType"
          render={({ field }) => (
            <Choice legend={t.type} name={field.name} value={field.value} options={types} onChange={field.onChange} />
          )}
        />
        {type !== "ONE_OFF" && (
          <SelectField label={t.frequency} {...register("paymentFrequency")}>
            {frequencies.map(([value, words]) => (
              <option key={value} value={value}>
                {words[0]?.toUpperCase() + words.slice(1)}
              </option>
            ))}
          </SelectField>
        )}
        {type !== "FLEXIBLE" && <LateTermsFields form={form} />}
        <LongField
          label={t.description}
          optional
          error={formState.errors.description?.message}
          {...register("description", descriptionRule)}
        />
        <Switch label={t.showTotal} {...register("showTotalToMembers")} />
        <Button type="submit" size="lg" fullWidth loading={state === "sending"}>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}

export function NewSubAccount({ groupId }: { groupId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" icon={<PlusIcon />} onClick={() => setOpen(true)}>
        {groupTexts.newSubAccount}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <SubAccountForm groupId={groupId} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}
