import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { PaymentReceipt, PaymentStart, SubAccount } from "@/api/schema.gen";
import { standingTexts } from "@/features/money/standingOrders";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Done } from "@/ui/Done";
import { arrived, isForWallet } from "@/ui/money/arrived";
import { Naira } from "@/ui/money/Naira";
import { paymentTexts as t } from "../texts";

/** Where the money of a payment is. `name` is what this page calls that for which the payment was made. */
export function Arrived({ payment, name, children }: { payment: PaymentStart; name?: string; children: ReactNode }) {
  const { title, text } = arrived(payment, name);
  return (
    <Done title={title} actions={children}>
      {text}
    </Done>
  );
}

/** What happens to the money of a payment once it comes. `there` says it where this page's own subject is paid. */
export const whenItComes = (payment: PaymentStart, there: string | undefined) =>
  there ?? (isForWallet(payment) ? t.waitingForWallet : t.waitingFor(payment.purpose ?? ""));

export const toGroup = (sub: SubAccount, primary: boolean) => (
  <LinkButton to={paths.group(sub.groupSavingsId)} variant={primary ? "primary" : "outline"} size="lg" fullWidth>
    {t.toGroup}
  </LinkButton>
);

/** Paid from the wallet: what it settled, the way to the receipt, and to have it paid by itself from now on. */
export function Receipt({ receipt, sub }: { receipt: PaymentReceipt; sub: SubAccount }) {
  const standing = paths.newStandingOrder({
    subAccountId: sub.id,
    groupId: sub.groupSavingsId,
    amount: receipt.amount,
  });
  return (
    <Done
      title={t.doneTitle}
      actions={
        <>
          <LinkButton to={paths.activityDetail(receipt.id)} size="lg" fullWidth>
            {t.receipt}
          </LinkButton>
          {toGroup(sub, false)}
          {sub.paymentType !== "ONE_OFF" && (
            <chakra.div>
              <chakra.p textStyle="small" color="fg.muted" mt="2">
                {standingTexts.offerLead}
              </chakra.p>
              <LinkButton to={standing} variant="link">
                {standingTexts.offer}
              </LinkButton>
            </chakra.div>
          )}
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
