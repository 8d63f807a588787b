import { chakra } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { settleHeld } from "@/api/finance";
import { moment } from "@/lib/dates";
import { SelectField } from "@/ui/form/fields";
import { financeTexts } from "../texts";
import { DeskForm, type OfArrival, OpensForm, Reason, reasoned, useDeskForm } from "./DeskForm";

const t = financeTexts.unmatched;
const OTHER = "other";

function Form({ arrival, onChanged }: OfArrival) {
  const form = useForm({ defaultValues: { which: "", reason: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = useDeskForm(
    form,
    { paymentId: "which", reason: "reason" },
    ({ which, reason }) => settleHeld(arrival.id, reason.trim(), which === OTHER ? undefined : which),
    onChanged,
  );
  return (
    <DeskForm onSubmit={submit} send={t.settleSend} sending={isSubmitting}>
      <chakra.p textStyle="body">{t.settleLead}</chakra.p>
      <SelectField
        label={t.settleWhich}
        error={errors.which?.message}
        {...form.register("which", { validate: (which) => which !== "" || t.settleFault })}
      >
        <option value="" />
        {arrival.likely?.map(({ paymentId, paidAt }) => (
          <option key={paymentId} value={paymentId}>
            {t.settleOf(paymentId, moment(paidAt))}
          </option>
        ))}
        <option value={OTHER}>{t.settleOther}</option>
      </SelectField>
      <Reason help={t.settleWhyHelp} error={errors.reason?.message} {...form.register("reason", reasoned())} />
    </DeskForm>
  );
}

/** Held money: whether we have it already. */
export const Settle = (props: OfArrival) => (
  <OpensForm
    {...props}
    label={t.settleIt}
    title={t.settle}
    form={(onChanged) => <Form {...props} onChanged={onChanged} />}
  />
);
