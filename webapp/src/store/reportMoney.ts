import type { Answer } from "@/api/client";
import { asFailure, failureText } from "@/api/failure";
import { moneyTexts } from "@/lib/texts/errors";
import { outcomeTexts } from "@/lib/texts/outcome";
import { toast } from "@/ui/toaster";
import { report, succeed } from "./report";

/** Reports a failed action that moves money: where nobody knows how it went, that is said, and nothing else. */
export function reportMoney(error: unknown) {
  const { certain, expired, cancelled, said } = asFailure(error);
  if (certain || expired || cancelled) report(error);
  else if (said === outcomeTexts.askedFirst) toast.warning(outcomeTexts.title, said);
  else toast.warning(moneyTexts.unknownTitle, outcomeTexts.again);
}

/** How a try failed, for the screen that shows it: nothing where that was said, or the person called it off. */
export function faultOf(error: unknown, notAnswered?: string) {
  const failure = asFailure(error);
  if (failure.cancelled || failure.expired) return undefined;
  const { certain, field, status } = failure;
  return { text: failureText(failure, notAnswered), certain, field, status };
}

/**
 * Says in a toast how it went, and answers what came of it, or undefined. `pays`: it moves money. `onRefused` reads
 * again what is there, which may not be what the person saw.
 */
export async function told<T>(
  deed: Promise<Answer<T>>,
  pays = false,
  onRefused?: () => void,
): Promise<{ value: T } | undefined> {
  try {
    const { value, message } = await deed;
    succeed(message);
    return { value };
  } catch (error) {
    if (pays) reportMoney(error);
    else report(error);
    onRefused?.();
    return undefined;
  }
}
