import type { SubAccount } from "@/api/schema.gen";
import { flexibleWords, frequencyWords } from "@/lib/texts/money";
import { Naira } from "@/ui/money/Naira";

/** A sub-account's amount and frequency. */
export function Terms({ sub }: { sub: SubAccount }) {
  return (
    <>
      <Naira amount={sub.amountPayable} />{" "}
      {sub.paymentType === "FLEXIBLE" ? flexibleWords : frequencyWords[sub.paymentFrequency]}
    </>
  );
}
