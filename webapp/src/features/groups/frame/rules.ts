import { parseAmount } from "@/lib/money";
import { amountFaults } from "@/lib/texts/money";
import { savingsTexts } from "@/lib/texts/savings";

const { faults } = savingsTexts;

/** A rule for an amount field of a form. */
export function checkAmount(text: string): true | string {
  const parsed = parseAmount(text);
  return "fault" in parsed ? amountFaults[parsed.fault] : true;
}

const nameFits = (text: string) => (text.trim().length >= 3 && text.trim().length <= 60) || faults.name;

export const descriptionRule = { maxLength: { value: 500, message: faults.description } };
export const nameRule = { validate: nameFits };
