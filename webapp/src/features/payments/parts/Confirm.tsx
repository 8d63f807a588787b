import { Stack } from "@chakra-ui/react";
import type { Due, SubAccount } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { channelWords } from "@/lib/texts/money";
import { paymentTexts as t } from "@/lib/texts/payments";
import type { useRailPayment } from "@/store/useRailPayment";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { ChargeReview } from "@/ui/ChargeReview";
import { Naira } from "@/ui/Naira";
import { OutcomeNote } from "@/ui/OutcomeNote";
import { ChangedTotal } from "@/ui/PaymentFace";
import type { Order, usePaying } from "./usePaying";

interface ConfirmProps {
  sub: SubAccount;
  groupName: string;
  order: Order;
  due: Due | undefined;
  onChange: () => void;
}

const words = { amount: t.to, charge: t.charge, noCharge: t.noCharge, total: t.total };
const inNextStep = { ...words, lead: t.reviewRail, agree: t.agree };
const atOnce = { ...words, lead: t.reviewCard, agree: t.chargeNow };

function What({ sub, groupName, order, due }: Omit<ConfirmProps, "onChange">) {
  return (
    <Facts
      rows={[
        [t.amount, <Naira key="amount" amount={order.amount} />],
        [t.to, `${sub.name}, ${groupName}`],
        ...(due ? [[t.forWhat, due.label] as [string, string]] : []),
        [t.from, order.method === "WALLET" ? t.wallet : channelWords[order.method]],
      ]}
    />
  );
}

function Change({ disabled, onChange }: { disabled: boolean; onChange: () => void }) {
  return (
    <Button variant="ghost" fullWidth disabled={disabled} onClick={onChange}>
      {t.change}
    </Button>
  );
}

/** From the wallet: agreed to, it is paid. */
export function ConfirmWallet({ paying, ...props }: ConfirmProps & { paying: ReturnType<typeof usePaying> }) {
  const { state, fault, pay, again } = paying;
  return (
    <Stack gap="5">
      <What {...props} />
      <OutcomeNote fault={fault} checking={state === "sending"} onAgain={again} />
      {state !== "unknown" && (
        <Stack gap="3">
          <Button size="lg" fullWidth loading={state === "sending"} onClick={() => pay(props.order)}>
            {t.pay(formatNaira(props.order.amount))}
          </Button>
          <Change disabled={state === "sending"} onChange={props.onChange} />
        </Stack>
      )}
    </Stack>
  );
}

/** Through the bank or card: with its charge, said before anything is agreed to. */
export function ConfirmRail({ rail, ...props }: ConfirmProps & { rail: ReturnType<typeof useRailPayment> }) {
  const { stage, state, fault, quoting, agree, agreeToChange, again } = rail;
  const sending = state === "sending";
  return (
    <Stack gap="5">
      <What {...props} />
      <OutcomeNote fault={fault} checking={sending} onAgain={again} />
      {stage.at === "review" && state !== "unknown" && (
        <ChargeReview
          payment={stage.quote}
          words={{ ...(stage.order.cardId ? atOnce : inNextStep), amount: props.sub.name }}
          busy={sending}
          onAgree={agree}
        />
      )}
      {stage.at === "changed" && state !== "unknown" && (
        <ChangedTotal
          before={stage.before}
          now={stage.payment.total}
          busy={sending}
          onAgree={agreeToChange}
          onLeave={props.onChange}
        />
      )}
      {stage.at !== "changed" && state !== "unknown" && (
        <Change disabled={sending || quoting} onChange={props.onChange} />
      )}
    </Stack>
  );
}
