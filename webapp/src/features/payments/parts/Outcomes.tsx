import { chakra } from "@chakra-ui/react";
import type { PaymentReceipt, PaymentStart, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { standingTexts } from "@/features/standingOrders";
import { formatNaira } from "@/lib/money";
import { LinkButton } from "@/ui/Button";
import { Done } from "@/ui/Done";
import { Naira } from "@/ui/money/Naira";
import { paymentTexts as t } from "../texts";

/** Where a payment went: to what this page is about, if it has a name here, else to what the payment itself names. */
export const paidText = ({ amount, purpose }: PaymentStart, name = purpose) =>
  name && t.doneText(formatNaira(amount), name);

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
