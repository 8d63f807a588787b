import { asFailure, failureText } from "@/api/failure";
import { moneyTexts } from "@/lib/texts/errors";
import { outcomeTexts } from "@/lib/texts/outcome";
import { toast } from "@/ui/toaster";
import { report } from "./report";

/** Reports a failed action that moves money: where nobody knows how it went, that is said, and nothing else. */
export function reportMoney(error: unknown) {
  const { certain, expired } = asFailure(error);
  if (certain || expired) report(error);
  else toast.warning(moneyTexts.unknownTitle, outcomeTexts.again);
}

/** How a try failed, for the screen that shows it: nothing where that was said, or the person called it off. */
export function faultOf(error: unknown, notAnswered?: string) {
  const failure = asFailure(error);
  if (failure.cancelled || failure.expired) return undefined;
  const { certain, field, status } = failure;
  return { text: failureText(failure, notAnswered), certain, field, status };
}
