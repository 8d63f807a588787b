import { Stack } from "@chakra-ui/react";
import { channelWords } from "@/lib/texts/money";
import type { useRailPayment } from "@/store/payment/useRailPayment";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { ChargeReview } from "@/ui/money/ChargeReview";
import { Naira } from "@/ui/money/Naira";
import { OutcomeNote, type Sent } from "@/ui/money/OutcomeNote";
import { ChangedTotal } from "@/ui/money/PaymentStatus";
import { paymentTexts as t } from "../texts";
import type { Method, usePaying } from "./usePaying";

const words = { charge: t.charge, noCharge: t.noCharge, total: t.total };
const inNextStep = { ...words, lead: t.reviewRail, agree: t.agree };
const atOnce = { ...words, lead: t.reviewCard, agree: t.chargeNow };

interface Ordered {
  amount: number;
  method: Method;
}

function Paid({ order }: { order: Ordered }) {
  return (
    <Facts
      rows={[
        [t.amount, <Naira key="amount" amount={order.amount} />],
        [t.from, order.method === "WALLET" ? t.wallet : channelWords[order.method]],
      ]}
    />
  );
}

type Sender = Sent & { fault: ReturnType<typeof usePaying>["fault"] };

/** Nobody knows yet how it went: nothing else can be done than to ask after this very payment. */
export function Unknown({ order, by }: { order: Ordered | undefined; by: Sender }) {
  return (
    <Stack gap="5">
      {order && <Paid order={order} />}
      <OutcomeNote fault={by.fault} sent={by} />
    </Stack>
  );
}

interface ConfirmRailProps {
  order: Ordered;
  name: string;
  rail: ReturnType<typeof useRailPayment>;
  onChange: () => void;
}

/** Through the card, or where a charge came up: said before anything is agreed to. */
export function ConfirmRail({ order, name, rail, onChange }: ConfirmRailProps) {
  const { stage, state, fault, agree, agreeToChange } = rail;
  const sending = state === "sending";
  return (
    <Stack gap="5">
      <Paid order={order} />
      <OutcomeNote fault={fault} sent={rail} />
      {stage.at === "review" && (
        <>
          <ChargeReview
            payment={stage.quote}
            words={{ ...(stage.order.cardId ? atOnce : inNextStep), amount: name }}
            busy={sending}
            onAgree={agree}
          />
          <Button variant="ghost" fullWidth disabled={sending} onClick={onChange}>
            {t.change}
          </Button>
        </>
      )}
      {stage.at === "changed" && (
        <ChangedTotal
          before={stage.before}
          now={stage.payment.total}
          busy={sending}
          onAgree={agreeToChange}
          onLeave={onChange}
        />
      )}
    </Stack>
  );
}
