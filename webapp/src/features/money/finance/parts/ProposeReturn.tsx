import { chakra } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { proposeReturn } from "@/api/finance";
import { TextField } from "@/ui/form/fields";
import { financeTexts } from "../texts";
import { DeskForm, type OfArrival, OpensForm, Reason, reasoned, useDeskForm } from "./DeskForm";

const t = financeTexts.unmatched;

function Form({ arrival, onChanged }: OfArrival) {
  const form = useForm({ defaultValues: { payoutId: "", reason: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = useDeskForm(
    form,
    { payoutId: "payoutId", reason: "reason" },
    ({ payoutId, reason }) => proposeReturn(arrival.id, payoutId.trim(), reason.trim()),
    onChanged,
  );
  return (
    <DeskForm onSubmit={submit} send={t.send} sending={isSubmitting}>
      <chakra.p textStyle="body">{t.returnLead}</chakra.p>
      <TextField
        label={t.returnOf}
        autoComplete="off"
        error={errors.payoutId?.message}
        {...form.register("payoutId", { validate: (payoutId) => payoutId.trim() !== "" || t.returnFault })}
      />
      <Reason error={errors.reason?.message} {...form.register("reason", reasoned())} />
    </DeskForm>
  );
}

/** Says which payout an arrival is the return of; somebody else must agree. */
export const ProposeReturn = (props: OfArrival) => (
  <OpensForm
    {...props}
    label={t.proposeReturnIt}
    title={t.proposeReturn}
    variant="outline"
    form={(onChanged) => <Form {...props} onChanged={onChanged} />}
  />
);
