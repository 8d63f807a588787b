import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure, type Failure } from "@/api/failure";
import type { PaymentStart } from "@/api/schema.gen";
import { useStore } from "@/store/store";

/** Pause between two checks of a waiting payment, should no live topic come. */
const POLL_MS = 20_000;

export const isOpen = (payment: PaymentStart) => payment.status === "INITIATED" || payment.status === "PENDING";

/** Follows a payment to its end: asked again when the wallet moves, when one comes back to the page, and on wish. */
export function usePayment(transactionRef: string | undefined) {
  const payment = useStore((state) => (transactionRef ? state.payments[transactionRef] : undefined));
  const verifyPayment = useStore((state) => state.verifyPayment);
  const walletTick = useStore((state) => state.walletTick);
  const [checking, setChecking] = useState(false);
  const [told, setTold] = useState<"notYet" | "unasked">();
  const [missing, setMissing] = useState<Failure>();
  const seen = useRef(walletTick);
  const waiting = payment !== undefined && isOpen(payment);

  const ask = useCallback(async () => {
    if (transactionRef) await verifyPayment(transactionRef).catch(() => {});
  }, [transactionRef, verifyPayment]);

  useEffect(() => {
    if (seen.current === walletTick) return;
    seen.current = walletTick;
    if (waiting) void ask();
  }, [walletTick, waiting, ask]);

  useEffect(() => {
    if (!waiting) return;
    const onReturn = () => {
      if (document.visibilityState === "visible") void ask();
    };
    document.addEventListener("visibilitychange", onReturn);
    const polling = setInterval(onReturn, POLL_MS);
    return () => {
      document.removeEventListener("visibilitychange", onReturn);
      clearInterval(polling);
    };
  }, [waiting, ask]);

  const check = useCallback(async () => {
    if (!transactionRef) return;
    setChecking(true);
    try {
      setTold(isOpen(await verifyPayment(transactionRef)) ? "notYet" : undefined);
    } catch (error) {
      const failure = asFailure(error);
      setMissing(failure.status === 404 ? failure : undefined); // It is not this person's.
      if (!failure.expired) setTold("unasked");
    }
    setChecking(false);
  }, [transactionRef, verifyPayment]);

  return { payment, waiting, checking, told, missing, check };
}
