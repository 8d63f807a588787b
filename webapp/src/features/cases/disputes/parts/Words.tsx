import { openDisputeLimits } from "@/lib/limits.gen";
import { LongField } from "@/ui/form/fields";
import { newTexts } from "../texts";

export const { max: WORDS_MAX } = openDisputeLimits.words;

/** As the server counts: letters, whatever they are made of. */
export const lengthOf = (text: string) => [...text.trim()].length;

interface WordsProps {
  label: string;
  value: string;
  help?: string;
  error?: string;
  rows?: number;
  disabled?: boolean;
  onChange: (text: string) => void;
}

/** What somebody says in their own words, with a counter. */
export function Words({ help, value, onChange, rows = 5, ...field }: WordsProps) {
  const counted = newTexts.counter(value.length, WORDS_MAX);
  return (
    <LongField
      {...field}
      rows={rows}
      maxLength={WORDS_MAX}
      value={value}
      help={help ? `${help} ${counted}.` : `${counted}.`}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
