import { parseAmount } from "./money";
import { amountFaults } from "./texts/money";

/** The rule of an amount that somebody types. */
export function amountFits(text: string): true | string {
  const parsed = parseAmount(text);
  return "kobo" in parsed || amountFaults[parsed.fault];
}
