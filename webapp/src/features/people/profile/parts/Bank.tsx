import { chakra, Stack } from "@chakra-ui/react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Account } from "@/api/schema.gen";
import { errorTexts } from "@/lib/texts/errors";
import { banksSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { FailedNote } from "@/ui/Empty";
import { Combobox } from "@/ui/form/Combobox";
import { TextField } from "@/ui/form/fields";
import { editTexts } from "../texts";
import { Bvn } from "./Bvn";
import { SaveRow, Section, useSaving } from "./Section";
import { ACCOUNT_NUMBER, useNameEnquiry } from "./useNameEnquiry";

const t = editTexts.bank;

export interface BankForm {
  bankCode: string;
  bankAccountNumber: string;
}

const digits = (text: string) => text.replace(/\s/g, "");

function BankPicker({ form }: { form: UseFormReturn<BankForm> }) {
  const { remote: banks, load } = useRead(banksSource);
  form.register("bankCode", { required: t.bankFault });
  if (banks.state === "failed") return <FailedNote text={banks.text} onRetry={load} />;
  const options = banks.state === "ready" ? banks.value.map(({ code, name }) => ({ value: code, label: name })) : [];
  return (
    <Combobox
      label={t.bank}
      placeholder={t.bankSearch}
      options={options}
      words={{ none: t.noBank, found: t.banks }}
      value={form.watch("bankCode")}
      error={form.formState.errors.bankCode?.message}
      onChange={(code) => {
        form.setValue("bankCode", code, { shouldDirty: true });
        form.clearErrors("bankCode");
      }}
    />
  );
}

type Enquiry = ReturnType<typeof useNameEnquiry>;

/** The bank's answer, before anything is saved. */
function Whose({ asking, name, fault, again }: Enquiry) {
  if (asking) {
    return (
      <chakra.p role="status" textStyle="body" color="fg.muted">
        {t.asking}
      </chakra.p>
    );
  }
  if (fault) {
    return (
      <Note tone="danger" live>
        <p>{fault}</p>
        <chakra.div mt="3">
          <Button size="sm" variant="outline" onClick={again}>
            {t.again}
          </Button>
        </chakra.div>
      </Note>
    );
  }
  if (!name) return null;
  return (
    <Note tone={name.warning ? "warning" : "brand"} live>
      <p>{t.belongs}</p>
      <chakra.p fontWeight="650" fontSize="lg" data-account-name>
        {name.accountName}
      </chakra.p>
      <p>{t.asBank(name.bankName)}</p>
      {name.warning && <chakra.p mt="1">{name.warning}</chakra.p>}
    </Note>
  );
}

function useBank(account: Account) {
  const saveProfile = useStore((state) => state.saveProfile);
  const form = useForm<BankForm>({
    values: { bankCode: account.bankCode ?? "", bankAccountNumber: account.bankAccountNumber ?? "" },
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useSaving(form, {
    save: ({ bankCode, bankAccountNumber }) => saveProfile({ bankCode, bankAccountNumber: digits(bankAccountNumber) }),
    notAnswered: errorTexts.notAnswered.updateInfo,
  });
  const { bankCode, bankAccountNumber } = form.watch();
  const enquiry = useNameEnquiry(digits(bankAccountNumber), bankCode, saving.dirty);
  return { form, saving, enquiry };
}

/** Where money is paid out to, and whether it is this person's. */
export function Bank({ account }: { account: Account }) {
  const { form, saving, enquiry } = useBank(account);
  return (
    <Section id="bank" title={t.title} lead={t.lead}>
      <form onSubmit={saving.submit} noValidate>
        <Stack gap="5">
          <BankPicker form={form} />
          <TextField
            label={t.number}
            inputMode="numeric"
            autoComplete="off"
            help={t.numberHelp}
            error={form.formState.errors.bankAccountNumber?.message}
            {...form.register("bankAccountNumber", {
              validate: (number) => ACCOUNT_NUMBER.test(digits(number)) || t.numberFault,
              // What the server said of another number, or this form before it was whole, is over.
              onChange: ({ target }) =>
                ACCOUNT_NUMBER.test(digits(target.value)) && form.clearErrors("bankAccountNumber"),
            })}
          />
          <Whose {...enquiry} />
          {saving.dirty && account.bvnVerified && <Note tone="warning">{t.undoes}</Note>}
          {saving.dirty && <SaveRow {...saving} label={t.submit} disabled={!enquiry.name} />}
        </Stack>
      </form>
      <Bvn account={account} bank={form} />
    </Section>
  );
}
