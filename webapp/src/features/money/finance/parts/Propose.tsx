import { chakra } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { proposeSendBack, proposeUnmatched } from "@/api/finance";
import { TextField } from "@/ui/form/fields";
import { financeTexts } from "../texts";
import { DeskForm, type OfArrival, OpensForm, Reason, reasoned, useDeskForm } from "./DeskForm";

const t = financeTexts.unmatched;

function Form({ arrival, onChanged }: OfArrival) {
  const form = useForm({ defaultValues: { email: "", reason: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = useDeskForm(
    form,
    { email: "email", reason: "reason" },
    ({ email, reason }) => proposeUnmatched(arrival.id, email.trim(), reason.trim()),
    onChanged,
  );
  return (
    <DeskForm onSubmit={submit} send={t.send} sending={isSubmitting}>
      <TextField
        label={t.email}
        type="email"
        autoComplete="off"
        error={errors.email?.message}
        {...form.register("email", { validate: (email) => email.includes("@") || t.emailFault })}
      />
      <Reason error={errors.reason?.message} {...form.register("reason", reasoned())} />
    </DeskForm>
  );
}

/** Says whose an arrival is; somebody else must agree. */
export const Propose = (props: OfArrival) => (
  <OpensForm
    {...props}
    label={t.proposeIt}
    title={t.propose}
    form={(onChanged) => <Form {...props} onChanged={onChanged} />}
  />
);

function BackForm({ arrival, onChanged }: OfArrival) {
  const form = useForm({ defaultValues: { reason: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = useDeskForm(
    form,
    { reason: "reason" },
    ({ reason }) => proposeSendBack(arrival.id, reason.trim()),
    onChanged,
  );
  return (
    <DeskForm onSubmit={submit} send={t.send} sending={isSubmitting}>
      <chakra.p textStyle="body">{t.backLead}</chakra.p>
      <Reason label={t.backWhy} error={errors.reason?.message} {...form.register("reason", reasoned(t.backFault))} />
    </DeskForm>
  );
}

/** Says that an arrival goes back to the account that it came from; somebody else must agree. */
export const ProposeBack = (props: OfArrival) => (
  <OpensForm
    {...props}
    label={t.backIt}
    title={t.back}
    variant="outline"
    form={(onChanged) => <BackForm {...props} onChanged={onChanged} />}
  />
);
