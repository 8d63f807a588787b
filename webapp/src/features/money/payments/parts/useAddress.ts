import { useSearchParams } from "react-router";
import type { PaymentStart } from "@/api/schema.gen";
import { useStore } from "@/store/store";

const REFERENCES = ["reference", "trxref"];
const ANOTHER = "another";

/** Reads the address: the payment that is followed, or that the person wants another one. */
export function useAddress() {
  const [query, setQuery] = useSearchParams();
  const keepPayment = useStore((state) => state.keepPayment);
  const change = (set: (next: URLSearchParams) => void, replace: boolean) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        for (const name of [...REFERENCES, ANOTHER]) next.delete(name);
        set(next);
        return next;
      },
      { replace },
    );
  return {
    query,
    reference: REFERENCES.map((name) => query.get(name)).find(Boolean) ?? undefined,
    another: query.has(ANOTHER),
    /** Back leads past it to where one came from, and a reload comes back to it. */
    follow(payment: PaymentStart) {
      keepPayment(payment);
      change((next) => next.set("reference", payment.transactionRef), true);
    },
    startAnother: () => change((next) => next.set(ANOTHER, "1"), false),
  };
}

export type Address = ReturnType<typeof useAddress>;
