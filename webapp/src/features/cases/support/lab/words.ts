import type { LabEdit } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { labTexts as t } from "../texts";

/** What is taken to be otherwise, in words; an event that is on screen by its name. */
export function editWords(
  { kind, position = 0, amount = 0, at, cycle, seat }: LabEdit,
  titleOf: (position: number) => string,
) {
  const when = at ? moment(at) : "";
  switch (kind) {
    case "PAID":
      return cycle && seat
        ? t.edit.paidToAjo(formatNaira(amount), when, cycle, seat)
        : t.edit.PAID(formatNaira(amount), when);
    case "ABSENT":
      return t.edit.ABSENT(titleOf(position));
    case "MOVED":
      return t.edit.MOVED(titleOf(position), when);
    case "AMOUNT":
      return t.edit.AMOUNT(titleOf(position), formatNaira(amount));
  }
}
