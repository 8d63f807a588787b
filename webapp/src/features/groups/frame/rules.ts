import { savingsTexts } from "@/lib/texts/savings";

const { faults } = savingsTexts;

const nameFits = (text: string) => (text.trim().length >= 3 && text.trim().length <= 60) || faults.name;

export const descriptionRule = { maxLength: { value: 500, message: faults.description } };
export const nameRule = { validate: nameFits };
