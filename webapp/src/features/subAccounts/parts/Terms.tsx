import type { SubAccount } from "@/api/types";
import { flexibleWords, frequencyWords } from "@/lib/texts/money";
import { Naira } from "@/ui/money/Naira";

/** What a sub-account asks for, and how often. */
export function Terms({ sub }: { sub: SubAccount }) {
  return (
    <>
      <Naira amount={sub.amountPayable} />{" "}
      {sub.paymentType === "FLEXIBLE" ? flexibleWords : frequencyWords[sub.paymentFrequency]}
    </>
  );
}
