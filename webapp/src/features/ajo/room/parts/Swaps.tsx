import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { answerSwap, proposeSwap } from "@/api/ajoActs";
import type { Ajo, AjoSeat, AjoSwap } from "@/api/schema.gen";
import { useAjoActs } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { SelectField } from "@/ui/form/fields";
import { swapTexts as t } from "../texts";

function Swap({ ajoId, swap }: { ajoId: string; swap: AjoSwap }) {
  const { busy, act } = useAjoActs();
  const { id, by, seat, withSeat, waitsFor, mayAgree, mayDecline } = swap;
  const say = (agree: boolean) => act(`swap:${id}:${agree}`, (key) => answerSwap(key, ajoId, id, agree));
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="3" data-swap={id}>
      <Box flex="1 1 12rem" minWidth="0">
        <chakra.p fontWeight="600">{t.line(by, seat, withSeat)}</chakra.p>
        {waitsFor.length > 0 && (
          <chakra.p textStyle="small" color="fg.muted">
            {t.waits(waitsFor.join(", "))}
          </chakra.p>
        )}
      </Box>
      {mayAgree && (
        <Button disabled={busy !== undefined} aria-label={t.agreeIt(seat, withSeat)} onClick={() => void say(true)}>
          {t.agree}
        </Button>
      )}
      {mayDecline && (
        <Button
          variant="outline"
          disabled={busy !== undefined}
          aria-label={t.declineIt(seat, withSeat)}
          onClick={() => void say(false)}
        >
          {t.decline}
        </Button>
      )}
    </chakra.li>
  );
}

const optionOf = ({ seat, turn, holders }: AjoSeat) =>
  t.option(seat, turn ?? 0, holders.map(({ name }) => name).join(", "));

function Propose({ id, mine, others }: { id: string; mine: AjoSeat[]; others: AjoSeat[] }) {
  const { busy, act } = useAjoActs();
  const form = useForm({ defaultValues: { seat: mine[0]?.seat ?? 0, withSeat: others[0]?.seat ?? 0 } });
  const submit = useSubmit(form, {
    send: ({ seat, withSeat }) =>
      act(`proposeSwap:${id}:${seat}:${withSeat}`, (key) => proposeSwap(key, id, seat, withSeat)),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="4">
        <SelectField label={t.mine} {...form.register("seat", { valueAsNumber: true })}>
          {mine.map((one) => (
            <option key={one.seat} value={one.seat}>
              {optionOf(one)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t.other} {...form.register("withSeat", { valueAsNumber: true })}>
          {others.map((one) => (
            <option key={one.seat} value={one.seat}>
              {optionOf(one)}
            </option>
          ))}
        </SelectField>
        <Flex>
          <Button type="submit" variant="outline" loading={busy !== undefined}>
            {t.propose}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

/** Turns that change places, with all who must agree. */
export function Swaps({ ajo: { id, swaps, seats, me, status } }: { ajo: Ajo }) {
  const waiting = seats.filter((seat) => seat.status === "WAITING" && seat.turn !== undefined);
  const mine = waiting.filter(({ seat }) => me.seats.includes(seat));
  const others = waiting.filter(({ seat }) => !me.seats.includes(seat));
  const mayPropose = status === "ACTIVE" && mine.length > 0 && others.length > 0;
  if (swaps.length === 0 && !mayPropose) return null;
  return (
    <Card title={t.title}>
      <chakra.p color="fg.muted" mb="3">
        {t.lead}
      </chakra.p>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border" mb={swaps.length > 0 ? "4" : "0"}>
        {swaps.map((swap) => (
          <Swap key={swap.id} ajoId={id} swap={swap} />
        ))}
      </Stack>
      {mayPropose && <Propose id={id} mine={mine} others={others} />}
    </Card>
  );
}
