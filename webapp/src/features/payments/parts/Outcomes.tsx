import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import type { PaymentReceipt, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { standingTexts } from "@/features/standingOrders";
import { formatNaira } from "@/lib/money";
import { screenTexts } from "@/lib/texts/common";
import { isOpen, usePayment } from "@/store/payment/usePayment";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Done } from "@/ui/Done";
import { Naira } from "@/ui/money/Naira";
import { PaymentStatus } from "@/ui/money/PaymentStatus";
import { FormSkeleton } from "@/ui/Skeletons";
import { paymentTexts as t } from "../texts";
import { What } from "./What";

const toGroup = (sub: SubAccount, primary: boolean) => (
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

interface FollowedProps {
  reference: string;
  sub: SubAccount;
  groupName: string;
  /** Begins another payment, with this one left as it is. */
  onAnother: () => void;
}

/** A payment through the bank or card that was started: where to pay it, then its arrival. */
export function Followed({ reference, sub, groupName, onAnother }: FollowedProps) {
  const { payment, checking, told, check } = usePayment(reference);
  useEffect(() => {
    if (!useStore.getState().payments[reference]) void check();
  }, [reference, check]);
  if (!payment) {
    if (!told) return <FormSkeleton />;
    return (
      <Note tone="warning" title={t.unread} live>
        <p>{t.unreadText}</p>
        <Flex gap="2" mt="3" wrap="wrap">
          <Button size="sm" loading={checking} onClick={() => void check()}>
            {screenTexts.tryAgain}
          </Button>
          <Button size="sm" variant="ghost" onClick={onAnother}>
            {t.another}
          </Button>
        </Flex>
      </Note>
    );
  }
  const due = payment.monthId && sub.dues.find((one) => one.monthId === payment.monthId && one.outstanding > 0);
  return (
    <Stack gap="4">
      {isOpen(payment) && <What sub={sub} groupName={groupName} due={due || undefined} />}
      <PaymentStatus
        payment={payment}
        checking={checking}
        told={told}
        onCheck={() => void check()}
        onAnew={onAnother}
        done={
          <Done title={t.doneTitle} actions={toGroup(sub, true)}>
            {t.doneText(formatNaira(payment.amount), sub.name)}
          </Done>
        }
      />
      {isOpen(payment) && (
        <Box>
          <chakra.p textStyle="small" color="fg.muted">
            {t.waiting} {t.anotherHelp}
          </chakra.p>
          <Button variant="ghost" fullWidth onClick={onAnother}>
            {t.another}
          </Button>
        </Box>
      )}
    </Stack>
  );
}
