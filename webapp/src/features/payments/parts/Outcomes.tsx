import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { PaymentReceipt, PaymentStart, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { formatNaira } from "@/lib/money";
import { paymentTexts as t } from "@/lib/texts/payments";
import { walletTexts } from "@/lib/texts/wallet";
import { usePayment } from "@/store/usePayment";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { ChargeReview } from "@/ui/ChargeReview";
import { Done } from "@/ui/Done";
import { Naira } from "@/ui/Naira";
import { PaymentSlip } from "@/ui/PaymentSlip";

const toGroup = (sub: SubAccount, primary: boolean) => (
  <LinkButton to={paths.group(sub.groupSavingsId)} variant={primary ? "primary" : "outline"} size="lg" fullWidth>
    {t.toGroup}
  </LinkButton>
);

/** Paid from the wallet: what it settled, and the way to the receipt. */
export function Receipt({ receipt, sub }: { receipt: PaymentReceipt; sub: SubAccount }) {
  return (
    <Done
      title={t.doneTitle}
      actions={
        <>
          <LinkButton to={paths.activityDetail(receipt.id)} size="lg" fullWidth>
            {t.receipt}
          </LinkButton>
          {toGroup(sub, false)}
        </>
      }
    >
      <p>{t.doneText(formatNaira(receipt.amount), sub.name)}</p>
      {receipt.settled.length > 0 && (
        <chakra.ul listStyleType="none" mt="2">
          {receipt.settled.map((settled) => (
            <li key={settled.period}>
              {t.settled} {settled.label}: <Naira amount={settled.amount} />
            </li>
          ))}
        </chakra.ul>
      )}
    </Done>
  );
}

const words = {
  ...walletTexts.review,
  lead: t.reviewRail,
  amount: t.to,
  charge: t.charge,
  noCharge: t.noCharge,
  total: t.total,
  agree: t.agree,
};
const ended = walletTexts.returned;

/** On its way through the bank or card: the charge first, then where to pay, then its arrival. */
export function ThroughRail({ started, sub }: { started: PaymentStart; sub: SubAccount }) {
  const { payment = started, checking, notYet, check } = usePayment(started.transactionRef);
  const [agreed, setAgreed] = useState(false);
  switch (payment.status) {
    case "CONFIRMED":
      return (
        <Done title={t.doneTitle} actions={toGroup(sub, true)}>
          {t.doneText(formatNaira(payment.amount), sub.name)}
        </Done>
      );
    case "FAILED":
      return (
        <Note tone="danger" title={ended.failed} live>
          {payment.reason}
        </Note>
      );
    case "EXPIRED":
      return (
        <Note tone="warning" title={ended.expired} live>
          {ended.expiredText}
        </Note>
      );
    case "INITIATED":
    case "PENDING":
      if (!agreed)
        return (
          <ChargeReview payment={payment} words={{ ...words, amount: sub.name }} onAgree={() => setAgreed(true)} />
        );
      return (
        <Stack gap="4">
          <PaymentSlip payment={payment} checking={checking} notYet={notYet} onCheck={() => void check()} />
          <chakra.p textStyle="small" color="fg.muted">
            {t.waiting}
          </chakra.p>
        </Stack>
      );
  }
}
