import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { Account, BvnState } from "@/api/schema.gen";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { useUnsaved } from "@/store/unsaved";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { toast } from "@/ui/toaster";
import { editTexts } from "../texts";
import type { BankForm } from "./Bank";
import { ACCOUNT_NUMBER } from "./useNameEnquiry";

const t = editTexts.bvn;

export const bvnTones = { NONE: "neutral", PENDING: "warning", VERIFIED: "success", FAILED: "danger" } as const;

/** The bank account comes first: whether it does, said beside what is missing. */
function bankIsReady({ getValues, setError, formState }: UseFormReturn<BankForm>): boolean {
  const { bankAccountNumber, bankCode } = getValues();
  const refuse = (field: keyof BankForm, message: string) => {
    setError(field, { message }, { shouldFocus: true });
    return false;
  };
  if (!ACCOUNT_NUMBER.test(bankAccountNumber.replace(/\s/g, ""))) return refuse("bankAccountNumber", t.accountFirst);
  if (!bankCode) return refuse("bankCode", t.bankFirst);
  return formState.isDirty ? refuse("bankAccountNumber", editTexts.bank.saveFirst) : true;
}

function Verify({ bank, onState }: { bank: UseFormReturn<BankForm>; onState: (state: BvnState) => void }) {
  const verifyBvn = useStore((state) => state.verifyBvn);
  const refreshProfile = useStore((state) => state.refreshProfile);
  const form = useForm({ defaultValues: { bvn: "" } });
  const { register, formState, reset } = form;
  useUnsaved(formState.isDirty);

  const send = useSubmit(form, {
    send: async ({ bvn }) => {
      if (!bankIsReady(bank)) return undefined;
      const { bankAccountNumber: number, bankCode } = bank.getValues();
      return verifyBvn(bvn.replace(/\s/g, ""), { number, bankCode });
    },
    onDone: (state) => {
      reset();
      onState(state);
    },
    notAnswered: errorTexts.notAnswered.verifyBvn,
    onInvalid: () => void bankIsReady(bank),
    onFailed: ({ said }) => {
      void refreshProfile();
      if (said !== t.failed) return false;
      onState({ status: "FAILED" });
      return true;
    },
  });

  return (
    <form onSubmit={send} noValidate>
      <Stack gap="5">
        <TextField
          label={t.label}
          inputMode="numeric"
          autoComplete="off"
          help={t.help}
          error={formState.errors.bvn?.message}
          {...register("bvn", { validate: (bvn) => /^\d{11}$/.test(bvn.replace(/\s/g, "")) || t.fault })}
        />
        <Flex>
          <Button type="submit" loading={formState.isSubmitting}>
            {t.submit}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

function Pending() {
  const refresh = useStore((state) => state.refreshProfile);
  const [checking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    await refresh();
    setChecking(false);
  };
  return (
    <Note tone="warning" live>
      <p>{t.pending}</p>
      <chakra.div mt="3">
        <Button size="sm" variant="outline" loading={checking} onClick={check}>
          {t.check}
        </Button>
      </chakra.div>
    </Note>
  );
}

/** The BVN: asked for, being checked, verified, or not matched. */
export function Bvn({ account, bank }: { account: Account; bank: UseFormReturn<BankForm> }) {
  const [reason, setReason] = useState<string>();
  const status = account.bvnStatus;
  const tell = (state: BvnState) => {
    setReason(state.reason);
    if (state.status === "VERIFIED") toast.success(t.done);
    if (state.status === "FAILED") toast.error(t.failed);
  };
  return (
    <chakra.div borderTopWidth="1px" borderColor="border" pt="5">
      <Stack gap="4">
        <Flex align="center" gap="3" wrap="wrap" data-bvn={status}>
          <chakra.h3 textStyle="section">{t.title}</chakra.h3>
          <Badge tone={bvnTones[status]}>{t.states[status]}</Badge>
        </Flex>
        {status === "FAILED" && (
          <Note tone="danger" title={t.failed} live>
            {reason}
          </Note>
        )}
        {status === "PENDING" && <Pending />}
        {status === "VERIFIED" && (
          <Note tone="success" title={account.bvn}>
            {t.verified}
          </Note>
        )}
        {(status === "NONE" || status === "FAILED") && <Verify bank={bank} onState={tell} />}
      </Stack>
    </chakra.div>
  );
}
