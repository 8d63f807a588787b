import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Controller, type UseFormReturn, useForm } from "react-hook-form";
import type { LiquidationKind, SubAccount } from "@/api/schema.gen";
import { amountFits } from "@/lib/amountFits";
import { liquidationLimits } from "@/lib/limits.gen";
import { amountText, formatNaira, parseAmount, toKobo, toNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { banksSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { FailedNote } from "@/ui/Empty";
import { Choice } from "@/ui/form/Choice";
import { Combobox } from "@/ui/form/Combobox";
import { AmountField, LongField, SelectField, TextField } from "@/ui/form/fields";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { Refused } from "@/ui/money/PayoutReview";
import { fundTexts as t } from "../texts";
import type { Funding } from "./useFunding";

const NUMBER = /^\d{10}$/;
const digits = (text: string) => text.replace(/\s/g, "");

interface Draft {
  kind: LiquidationKind;
  subAccountId: string;
  amount: string;
  reason: string;
  bankCode: string;
  accountNumber: string;
}

type Form = UseFormReturn<Draft>;

function Payee({ form, fault }: { form: Form; fault?: string }) {
  const { remote: banks, load } = useRead(banksSource);
  const { control, register, formState } = form;
  if (banks.state === "failed") return <FailedNote text={banks.text} onRetry={load} />;
  const options = banks.state === "ready" ? banks.value.map(({ code, name }) => ({ value: code, label: name })) : [];
  return (
    <>
      <Controller
        control={control}
        name="bankCode"
        rules={{ required: t.bankFault }}
        render={({ field, fieldState }) => (
          <Combobox
            label={t.bank}
            placeholder={t.bankSearch}
            options={options}
            words={{ none: t.noBank, found: t.banks }}
            value={field.value}
            error={fieldState.error?.message}
            onChange={field.onChange}
          />
        )}
      />
      <TextField
        label={t.number}
        inputMode="numeric"
        autoComplete="off"
        error={formState.errors.accountNumber?.message ?? fault}
        {...register("accountNumber", { validate: (number) => NUMBER.test(digits(number)) || t.numberFault })}
      />
    </>
  );
}

/** The amount available, where the caller may know it. */
function room(sub: SubAccount | undefined, kind: LiquidationKind): string | undefined {
  if (kind === "MEMBER_WITHDRAWAL")
    return sub?.mySavings === undefined ? undefined : t.yours(formatNaira(sub.mySavings));
  return sub?.balance === undefined ? undefined : t.holds(formatNaira(sub.balance));
}

const { min: REASON_MIN, max: REASON_MAX } = liquidationLimits.reason;
const reasonFits = (text: string) =>
  (text.trim().length >= REASON_MIN && text.trim().length <= REASON_MAX) || t.reasonFault;

interface FundFormProps {
  groupId: string;
  subs: SubAccount[];
  /** The kinds that the caller may ask for. */
  kinds: LiquidationKind[];
  first?: string;
  funding: Funding;
}

function useDraft({ subs, kinds, first, funding: { wish } }: FundFormProps): Form {
  return useForm<Draft>({
    defaultValues: {
      kind: wish?.kind ?? kinds[0],
      subAccountId: wish?.subAccountId ?? first ?? subs[0]?.id,
      amount: wish ? amountText(toKobo(wish.amount)) : "",
      reason: wish?.reason ?? "",
      bankCode: wish?.bankCode ?? "",
      accountNumber: wish?.accountNumber ?? "",
    },
  });
}

/** From where, how much, to whom and what for; what that costs is shown next. */
export function FundForm(props: FundFormProps) {
  const { groupId, subs, kinds, funding } = props;
  const { refusal, quoting, ask } = funding;
  const form = useDraft(props);
  const { register, control, formState, watch } = form;
  // A field that the server named is marked until it is changed, or sent again.
  const [sent, setSent] = useState<Draft>();
  const { errors } = formState;
  const kind = watch("kind");
  const sub = subs.find(({ id }) => id === watch("subAccountId"));
  const named = refusal?.field as keyof Draft | undefined;
  const said = (field: keyof Draft) =>
    sent && refusal && named === field && sent[field] === watch(field) && sent.bankCode === watch("bankCode")
      ? refusal.text
      : undefined;
  const submit = useSubmit(form, {
    onReview: (draft) => {
      const parsed = parseAmount(draft.amount);
      if ("fault" in parsed) return;
      setSent(draft);
      const { subAccountId, reason, bankCode, accountNumber } = draft;
      const payee = kind === "GROUP_DISBURSEMENT" ? { bankCode, accountNumber: digits(accountNumber) } : {};
      ask({ groupId, subAccountId, kind, amount: toNaira(parsed.kobo), reason: reason.trim(), ...payee });
    },
  });
  const shown: (keyof Draft)[] = [
    "amount",
    "reason",
    ...(kind === "GROUP_DISBURSEMENT" ? ["accountNumber" as const] : []),
  ];
  if (funding.state === "unknown") return <OutcomeNote fault={undefined} sent={funding} />;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {kinds.length > 1 && (
          <Controller
            control={control}
            name="kind"
            render={({ field }) => (
              <Choice
                legend={t.kind}
                name={field.name}
                value={field.value}
                options={kinds.map((value) => ({ value, ...t.kinds[value] }))}
                onChange={field.onChange}
              />
            )}
          />
        )}
        <SelectField label={t.subAccount} help={room(sub, kind)} {...register("subAccountId")}>
          {subs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <AmountField
          label={t.amount}
          placeholder="0.00"
          error={errors.amount?.message ?? said("amount")}
          {...register("amount", { validate: amountFits })}
        />
        {kind === "GROUP_DISBURSEMENT" && <Payee form={form} fault={said("accountNumber")} />}
        <LongField
          label={t.reason}
          help={t.reasonHelp}
          maxLength={REASON_MAX}
          error={errors.reason?.message ?? said("reason")}
          {...register("reason", { validate: reasonFits })}
        />
        {refusal && !(sent && named && shown.includes(named)) && (
          <Refused
            refusal={refusal}
            words={t}
            bank={kind === "MEMBER_WITHDRAWAL" ? paths.editProfile("bank") : undefined}
          />
        )}
        <OutcomeNote fault={undefined} sent={funding} />
        <Button type="submit" size="lg" fullWidth loading={quoting}>
          {t.next}
        </Button>
      </Stack>
    </form>
  );
}
