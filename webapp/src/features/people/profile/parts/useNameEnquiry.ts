import { useCallback, useEffect, useState } from "react";
import { nameEnquiry } from "@/api/account";
import { asFailure, failureText } from "@/api/failure";
import type { AccountName } from "@/api/schema.gen";

export const ACCOUNT_NUMBER = /^\d{10}$/;

interface Enquiry {
  /** Which account was asked about. */
  about: string;
  name?: AccountName;
  fault?: string;
}

/** Whose account it is, as its bank says: asked as soon as bank and number are whole. */
export function useNameEnquiry(number: string, bankCode: string, wanted: boolean) {
  const [enquiry, setEnquiry] = useState<Enquiry>();
  const [tries, setTries] = useState(0);
  const about = `${bankCode}:${number}`;
  const whole = wanted && bankCode !== "" && ACCOUNT_NUMBER.test(number);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    if (!whole) return;
    let left = false;
    setEnquiry(undefined);
    nameEnquiry(number, bankCode).then(
      ({ value: name }) => !left && setEnquiry({ about, name }),
      (error: unknown) => !left && !asFailure(error).expired && setEnquiry({ about, fault: failureText(error) }),
    );
    return () => {
      left = true;
    };
  }, [about, whole, tries]);
  const again = useCallback(() => setTries((before) => before + 1), []);
  const answer = whole && enquiry?.about === about ? enquiry : undefined;
  return { asking: whole && !answer, name: answer?.name, fault: answer?.fault, again };
}
