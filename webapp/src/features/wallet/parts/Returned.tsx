import { Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { failureText } from "@/api/failure";
import type { PaymentStart } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { screenTexts } from "@/lib/texts/common";
import { errorTexts } from "@/lib/texts/errors";
import { slipTexts, walletTexts } from "@/lib/texts/wallet";
import { useStore } from "@/store/store";
import { usePayment } from "@/store/usePayment";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";

const t = walletTexts.returned;

type Tone = "brand" | "success" | "warning" | "danger";

function said(payment: PaymentStart): { tone: Tone; title: string; text: string } {
  switch (payment.status) {
    case "CONFIRMED":
      return {
        tone: "success",
        title: t.confirmed,
        text: payment.subAccountId && payment.purpose ? payment.purpose : t.confirmedText(formatNaira(payment.amount)),
      };
    case "FAILED":
      return { tone: "danger", title: t.failed, text: payment.reason ?? "" };
    case "EXPIRED":
      return { tone: "warning", title: t.expired, text: t.expiredText };
    case "REVERSED":
      return { tone: "danger", title: t.reversed, text: payment.reason ?? t.reversedText };
    case "INITIATED":
    case "PENDING":
      return { tone: "brand", title: t.waiting, text: t.waitingText };
  }
}

/** How the payment stands that the browser comes back from. */
export function Returned({ reference, onDismiss }: { reference: string; onDismiss: () => void }) {
  const verifyPayment = useStore((state) => state.verifyPayment);
  const { payment, waiting, checking, check } = usePayment(reference);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    verifyPayment(reference).catch((error: unknown) =>
      setFault(failureText(error, errorTexts.notAnswered.verifyTransaction)),
    );
  }, [reference, verifyPayment]);

  const tell = payment
    ? said(payment)
    : { tone: fault ? ("danger" as const) : ("brand" as const), title: fault ?? t.asking, text: "" };
  return (
    <Note tone={tell.tone} title={tell.title} live>
      <p>{tell.text}</p>
      <Flex gap="2" mt="2" wrap="wrap">
        {(waiting || fault) && (
          <Button
            size="sm"
            loading={checking}
            onClick={() => {
              setFault(undefined);
              check().catch((error: unknown) => setFault(failureText(error, errorTexts.notAnswered.verifyTransaction)));
            }}
          >
            {payment ? slipTexts.check : screenTexts.tryAgain}
          </Button>
        )}
        {(payment || fault) && (
          <Button size="sm" variant="outline" onClick={onDismiss}>
            {t.dismiss}
          </Button>
        )}
      </Flex>
    </Note>
  );
}
