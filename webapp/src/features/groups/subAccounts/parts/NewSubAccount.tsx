import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { PaymentFrequency, PaymentType } from "@/api/schema.gen";
import { descriptionRule, groupTexts, nameRule } from "@/features/groups/frame";
import { amountFits } from "@/lib/amountFits";
import { parseAmount, toNaira } from "@/lib/money";
import { errorTexts } from "@/lib/texts/errors";
import { frequencyWords, typeWords } from "@/lib/texts/money";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
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
  const { register, control, formState } = form;
  const { state, run } = useCommand({ name: `subAccount:${groupId}`, send: createSubAccount });
  const type = form.watch("paymentType");

  const submit = useSubmit(form, {
    send: async (draft) => {
      const parsed = parseAmount(draft.amountPayable);
      return "fault" in parsed ? undefined : run({ groupSavingsId: groupId, ...bodyOf(draft, parsed.kobo) });
    },
    onDone: (message) => {
      succeed(message);
      onDone();
    },
    notAnswered: errorTexts.notAnswered.createSubAccount,
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
          {...register("amountPayable", { validate: amountFits })}
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
