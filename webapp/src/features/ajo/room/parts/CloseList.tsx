import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { closeAjoList } from "@/api/ajoActs";
import type { Ajo } from "@/api/schema.gen";
import { ajoWords } from "@/lib/texts/ajo";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { openTexts as t } from "../texts";

/** The list with one moved by a place; the same where it cannot move. */
export function moved(order: number[], at: number, by: 1 | -1): number[] {
  const other = at + by;
  if (other < 0 || other >= order.length) return order;
  const next = [...order];
  [next[at], next[other]] = [next[other] as number, next[at] as number];
  return next;
}

interface ProposeProps {
  ajo: Ajo;
  order: number[];
  onChange: (order: number[]) => void;
}

/** The owner's own order, by keyboard as well as by thumb. */
function Propose({ ajo, order, onChange }: ProposeProps) {
  const namesOf = (seat: number) =>
    ajo.seats
      .find((one) => one.seat === seat)
      ?.holders.map(({ name }) => name)
      .join(", ") ?? "";
  return (
    <Stack gap="2">
      <chakra.h3 textStyle="label">{t.propose}</chakra.h3>
      <Stack as="ol" listStyleType="none" gap="1">
        {order.map((seat, at) => (
          <chakra.li key={seat} display="flex" alignItems="center" gap="2" data-proposed={seat}>
            <chakra.span flex="1" minWidth="0" overflowWrap="anywhere">
              {at + 1}. {ajoWords.seat(seat)} ({namesOf(seat)})
            </chakra.span>
            <Button
              size="sm"
              variant="outline"
              aria-label={t.up(seat)}
              disabled={at === 0}
              onClick={() => onChange(moved(order, at, -1))}
            >
              ↑
            </Button>
            <Button
              size="sm"
              variant="outline"
              aria-label={t.down(seat)}
              disabled={at === order.length - 1}
              onClick={() => onChange(moved(order, at, 1))}
            >
              ↓
            </Button>
          </chakra.li>
        ))}
      </Stack>
    </Stack>
  );
}

/** The order that the owner proposes, and the act that closes the list with it. */
export function useClosing({ id, seats, past, order: kind }: Ajo) {
  const { act } = useAjoActs();
  const [moves, setMoves] = useState<number[]>();
  // Who collected before has had their turn.
  const order = moves ?? seats.map(({ seat }) => seat).filter((seat) => !past.some((one) => one.seat === seat));
  const proposed = kind === "MANUAL" ? order : undefined;
  return {
    proposed,
    propose: setMoves,
    close: async () =>
      (await act(`closeAjo:${id}:${proposed?.join() ?? ""}`, (key) => closeAjoList(key, id, proposed))) !== undefined,
  };
}

export type Closing = ReturnType<typeof useClosing>;

/** Closes the list once it is meant. */
export function CloseButton({ closing: { close } }: { closing: Closing }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t.close}</Button>
      <Confirm
        open={asking}
        title={`${t.closeTitle}?`}
        yes={t.closeYes}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={close}
      >
        {t.closeText}
      </Confirm>
    </>
  );
}

/** What the list still needs before its owner can close it, and the order that they propose. */
export function CloseList({ ajo, closing: { proposed, propose } }: { ajo: Ajo; closing: Closing }) {
  const { closeNeeds } = ajo.me;
  if (!closeNeeds && !proposed) return null;
  return (
    <Card title={t.closeTitle}>
      <Stack gap="4">
        {closeNeeds && (
          <Note tone="warning" title={t.closeNeeds}>
            {closeNeeds}
          </Note>
        )}
        {proposed && <Propose ajo={ajo} order={proposed} onChange={propose} />}
      </Stack>
    </Card>
  );
}
