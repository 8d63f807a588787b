import { useState } from "react";
import type { AjoHolder } from "@/api/schema.gen";
import { PayNow } from "@/features/ajo/pay";
import { toKobo, toNaira } from "@/lib/money";
import { Switch } from "@/ui/form/fields";
import { potTexts as t } from "../texts";

interface CoverProps {
  ajoId: string;
  cycle: number;
  seat: number;
  holder: AjoHolder;
}

/** Pays what somebody else has not paid yet: they owe it then, or it is a gift. */
export function Cover({ ajoId, cycle, seat, holder: { userId, name, due, paid } }: CoverProps) {
  const [gift, setGift] = useState(false);
  const amount = toNaira(toKobo(due) - toKobo(paid));
  return (
    <PayNow
      ajoId={ajoId}
      pay={{ what: "DUE", amount, cycle, seat, memberId: userId, gift }}
      what={t.coverWhat(name, cycle)}
      label={t.coverIt(name)}
      size="sm"
      variant="outline"
    >
      <p>{gift ? t.giftHelp : t.coverText}</p>
      <Switch label={t.gift} checked={gift} onChange={(event) => setGift(event.target.checked)} />
    </PayNow>
  );
}
