import { chakra, Flex, Stack } from "@chakra-ui/react";
import { moment } from "@/lib/dates";
import type { DrawProof } from "@/lib/draw/proof";
import { Badge } from "@/ui/bits";
import { ajoDrawTexts as t } from "../texts";

/** What was drawn, and how, in plain words. */
export function DrawStory({ proof }: { proof: DrawProof }) {
  const { name, seats, closedAt, drawAt, source, round, beacon } = proof;
  const at = moment(drawAt);
  const by = beacon?.test ? t.byTest : t.byBeacon;
  const byPhones = round ? t.byBoth(round, at) : t.byPhones(at);
  const how = source === "BEACON" && round ? by(round, at) : byPhones;
  return (
    <Stack gap="2">
      <Flex align="center" gap="3" wrap="wrap">
        <chakra.h2 textStyle="section" overflowWrap="anywhere" minWidth="0">
          {name}
        </chakra.h2>
        {beacon?.test && <Badge tone="warning">{t.test}</Badge>}
      </Flex>
      <p>{t.sealed(seats.length, moment(closedAt))}</p>
      <p>{how}</p>
    </Stack>
  );
}

interface DrawnOrderProps {
  proof: DrawProof;
  /** Who holds a seat now: for members only. */
  names: Map<number, string>;
}

/** The seats in the order in which they collect. */
export function DrawnOrder({ proof: { order, seats }, names }: DrawnOrderProps) {
  const shared = new Set(seats.filter(({ holders }) => holders.length > 1).map(({ seat }) => seat));
  return (
    <Stack as="section" gap="3">
      <chakra.h2 textStyle="section">{t.orderTitle}</chakra.h2>
      {names.size > 0 && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.names}
        </chakra.p>
      )}
      <chakra.ol
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: "1fr", sm: "1fr 1fr" }}
        columnGap="6"
        rowGap="2"
      >
        {order.map((seat, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place, and a wrong proof may name a seat twice
          <Flex as="li" key={at} justify="space-between" gap="3" borderBottomWidth="1px" borderColor="border" py="1.5">
            <chakra.span color="fg.muted">{t.turn(at + 1)}</chakra.span>
            <chakra.span fontWeight="600" textAlign="end">
              {names.get(seat) ?? t.seat(seat)}
              {names.has(seat) && (
                <chakra.span fontWeight="400" color="fg.muted">
                  {`, ${t.seat(seat)}`}
                </chakra.span>
              )}
              {shared.has(seat) && (
                <chakra.span fontWeight="400" color="fg.muted">
                  {`, ${t.shared}`}
                </chakra.span>
              )}
            </chakra.span>
          </Flex>
        ))}
      </chakra.ol>
    </Stack>
  );
}
