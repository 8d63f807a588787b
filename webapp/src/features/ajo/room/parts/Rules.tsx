import { chakra } from "@chakra-ui/react";
import type { Ajo } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { roomTexts as t } from "../texts";

/** The terms in short. */
export function Rules({ ajo }: { ajo: Ajo }) {
  const { description, terms, order, deposit, ownerName, validatorName, finishDate, amount, frequency } = ajo;
  return (
    <Card title={t.rules}>
      {description && (
        <chakra.p mb="4" overflowWrap="anywhere">
          {description}
        </chakra.p>
      )}
      <Facts
        rows={[
          [t.each, `${formatNaira(amount)} ${ajoWords.every[frequency]}`],
          [t.order, ajoWords.order[order]],
          [t.deposit, t.deposits(deposit)],
          [t.grace, terms.graceDays],
          [t.penalty, `${terms.penaltyPercent}%`],
          [t.fee, t.feeOf(`${terms.feePercent}%`, formatNaira(terms.feeCap))],
          [t.owner, ownerName],
          ...(validatorName ? [[t.validator, validatorName] as [string, string]] : []),
          [t.finish, finishDate ? shortDay(finishDate) : ""],
        ]}
      />
    </Card>
  );
}
