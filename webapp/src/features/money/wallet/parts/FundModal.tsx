import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { PaymentStart } from "@/api/schema.gen";
import { usePayment } from "@/store/payment/usePayment";
import { type RailOrder, useRailPayment } from "@/store/payment/useRailPayment";
import { Button } from "@/ui/Button";
import { Done } from "@/ui/Done";
import { arrived, isForWallet } from "@/ui/money/arrived";
import { ChargeReview } from "@/ui/money/ChargeReview";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { ChangedTotal, PaymentStatus } from "@/ui/money/PaymentStatus";
import { paymentStatusTexts, slipTexts } from "@/ui/money/texts";
import { Modal } from "@/ui/overlays";
import { walletTexts } from "../texts";
import { FundForm } from "./FundForm";

function Started({ started, onClose, onAnew }: { started: PaymentStart; onClose: () => void; onAnew?: () => void }) {
  const { payment = started, checking, told, check } = usePayment(started.transactionRef);
  const { title, text } = arrived(payment);
  return (
    <PaymentStatus
      payment={payment}
      checking={checking}
      told={told}
      onCheck={() => void check()}
      onAnew={onAnew}
      done={
        <Done title={title} actions={<Button onClick={onClose}>{slipTexts.done}</Button>}>
          {text}
        </Done>
      }
    />
  );
}

function Funding({ onClose }: { onClose: () => void }) {
  const rail = useRailPayment("fund");
  const { stage, fault, quoting, state, review, agree, agreeToChange, back } = rail;
  const [order, setOrder] = useState<RailOrder>();
  if (state === "unknown") return <OutcomeNote fault={fault} sent={rail} />;
  switch (stage.at) {
    case "form":
      return (
        <FundForm
          order={order}
          busy={quoting}
          fault={fault}
          sent={rail}
          onReview={(next) => {
            setOrder(next);
            void review(next);
          }}
        />
      );
    case "review":
      return (
        <Stack gap="4">
          <OutcomeNote fault={fault} sent={rail} />
          <ChargeReview
            payment={stage.quote}
            words={stage.order.cardId ? walletTexts.chargeNow : walletTexts.review}
            busy={state === "sending"}
            onAgree={agree}
          />
          {state === "ready" && (
            <Button variant="ghost" fullWidth onClick={back}>
              {paymentStatusTexts.back}
            </Button>
          )}
        </Stack>
      );
    case "changed":
      return (
        <Stack gap="4">
          <OutcomeNote fault={fault} sent={rail} />
          <ChangedTotal
            before={stage.before}
            now={stage.payment.total}
            busy={state === "sending"}
            onAgree={agreeToChange}
            onLeave={onClose}
          />
        </Stack>
      );
    case "started":
      return <Started started={stage.payment} onClose={onClose} onAnew={back} />;
  }
}

interface FundModalProps {
  open: boolean;
  onClose: () => void;
  /** A payment that was left before, to go on with. */
  resume?: PaymentStart;
}

/** Funding the wallet from the first figure to the money's arrival; it can be left and come back to. */
export function FundModal({ open, onClose, resume }: FundModalProps) {
  const title = resume?.purpose && !isForWallet(resume) ? resume.purpose : walletTexts.fund;
  return (
    <Modal open={open} onClose={onClose} title={title}>
      {resume ? <Started started={resume} onClose={onClose} /> : <Funding onClose={onClose} />}
    </Modal>
  );
}
