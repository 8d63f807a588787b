import { Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { asFailure, type Failure, failureText } from "@/api/failure";
import type { PaymentStart } from "@/api/schema.gen";
import { screenTexts } from "@/lib/texts/common";
import { usePayment } from "@/store/payment/usePayment";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { arrived } from "@/ui/money/arrived";
import { returnedTexts, slipTexts } from "@/ui/money/texts";

const t = returnedTexts;

type Tone = "brand" | "success" | "warning" | "danger";

function said(payment: PaymentStart): { tone: Tone; title: string; text: string } {
  switch (payment.status) {
    case "CONFIRMED":
      return { tone: "success", ...arrived(payment) };
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

/** The status of the payment that the browser comes back from. */
export function Returned({ reference, onDismiss }: { reference: string; onDismiss: () => void }) {
  const verifyPayment = useStore((state) => state.verifyPayment);
  const { payment, waiting, checking, told, check } = usePayment(reference);
  const [fault, setFault] = useState<Failure>();
  useEffect(() => {
    verifyPayment(reference).catch((error: unknown) => setFault(asFailure(error)));
  }, [reference, verifyPayment]);

  const unknown = !payment && (told === "unasked" || (fault && !fault.certain));
  const tell: ReturnType<typeof said> = payment
    ? said(payment)
    : unknown
      ? { tone: "warning", title: slipTexts.unaskedTitle, text: slipTexts.unasked }
      : { tone: fault ? "danger" : "brand", title: fault ? failureText(fault) : t.asking, text: "" };
  return (
    <Note tone={tell.tone} title={tell.title} live>
      <p>{tell.text}</p>
      <Flex gap="2" mt="2" wrap="wrap">
        {(waiting || fault || unknown) && (
          <Button
            size="sm"
            loading={checking}
            onClick={() => {
              setFault(undefined);
              void check();
            }}
          >
            {payment ? slipTexts.check : screenTexts.tryAgain}
          </Button>
        )}
        {(payment || fault || unknown) && (
          <Button size="sm" variant="outline" onClick={onDismiss}>
            {t.dismiss}
          </Button>
        )}
      </Flex>
    </Note>
  );
}
