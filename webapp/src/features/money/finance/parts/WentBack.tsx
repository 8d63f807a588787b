import { chakra, Stack } from "@chakra-ui/react";
import type { Unmatched } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Facts } from "@/ui/bits";
import { financeTexts } from "../texts";

const t = financeTexts.unmatched;

/** How money went back to the account that it came from, or why it did not. */
export function WentBack({ back }: { back: NonNullable<Unmatched["sendBack"]> }) {
  const { state, accountName, bankName, accountNumber, memberName, proposerName, approverName, reason } = back;
  const { problem, at, paidAt } = back;
  const to = accountName && bankName && accountNumber ? t.backTo(accountName, bankName, accountNumber) : t.backGone;
  return (
    <Stack gap="2" bg="bg.muted" borderRadius="md" px="4" py="3" mb="3" data-back={state}>
      <chakra.p fontWeight="600">
        {state === "PAID" && paidAt ? t.backPaid(moment(paidAt)) : t.backStates[state]}
      </chakra.p>
      {problem && <chakra.p textStyle="body">{problem}</chakra.p>}
      <Facts
        rows={[
          [t.backAccount, to],
          ...(memberName ? [[t.backMember, memberName] as [string, string]] : []),
          [t.backReason, reason],
        ]}
      />
      <chakra.p textStyle="small" color="fg.muted">
        {moment(at)} · {t.backBy(proposerName)}
        {approverName && ` · ${t.agreed(approverName)}`}
      </chakra.p>
    </Stack>
  );
}
