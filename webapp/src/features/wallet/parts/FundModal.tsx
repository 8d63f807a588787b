import { useState } from "react";
import type { PaymentStart } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { slipTexts, walletTexts } from "@/lib/texts/wallet";
import { usePayment } from "@/store/usePayment";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { ChargeReview } from "@/ui/ChargeReview";
import { Done } from "@/ui/Done";
import { Modal } from "@/ui/overlays";
import { PaymentSlip } from "@/ui/PaymentSlip";
import { FundForm } from "./FundForm";

const r = walletTexts.returned;

interface FundModalProps {
  open: boolean;
  onClose: () => void;
  /** A payment that was left before, to go on with. */
  resume?: PaymentStart;
}

function Step({
  payment,
  agreed,
  onAgree,
  onClose,
}: {
  payment: PaymentStart;
  agreed: boolean;
  onAgree: () => void;
  onClose: () => void;
}) {
  const { payment: now = payment, checking, notYet, check } = usePayment(payment.transactionRef);
  switch (now.status) {
    case "CONFIRMED":
      return (
        <Done title={slipTexts.doneTitle} actions={<Button onClick={onClose}>{slipTexts.done}</Button>}>
          {now.purpose && now.subAccountId ? now.purpose : r.confirmedText(formatNaira(now.amount))}
        </Done>
      );
    case "FAILED":
      return (
        <Note tone="danger" title={r.failed}>
          {now.reason}
        </Note>
      );
    case "EXPIRED":
      return (
        <Note tone="warning" title={r.expired}>
          {r.expiredText}
        </Note>
      );
    case "INITIATED":
    case "PENDING":
      return agreed ? (
        <PaymentSlip payment={now} checking={checking} notYet={notYet} onCheck={() => void check()} />
      ) : (
        <ChargeReview payment={now} words={walletTexts.review} onAgree={onAgree} />
      );
  }
}

/** Funding the wallet from the first figure to the money's arrival. */
export function FundModal({ open, onClose, resume }: FundModalProps) {
  const [started, setStarted] = useState<PaymentStart>();
  const [agreed, setAgreed] = useState(false);
  const payment = resume ?? started;
  const close = () => {
    onClose();
    setStarted(undefined);
    setAgreed(false);
  };
  return (
    <Modal
      open={open}
      onClose={close}
      title={resume?.purpose && resume.subAccountId ? resume.purpose : walletTexts.fund}
    >
      {payment ? (
        <Step
          payment={payment}
          agreed={agreed || resume !== undefined}
          onAgree={() => setAgreed(true)}
          onClose={close}
        />
      ) : (
        <FundForm onStarted={setStarted} />
      )}
    </Modal>
  );
}
