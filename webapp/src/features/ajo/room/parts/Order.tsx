import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Ajo } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { orderTexts as t } from "../texts";

/** The order that the owner proposes, and who has accepted it. */
export function Proposed({ ajo: { closing } }: { ajo: Ajo }) {
  if (!closing?.proposed) return null;
  const names = (closing.accepted ?? []).join(", ");
  return (
    <Card title={t.proposedTitle}>
      <Stack gap="3">
        <chakra.ol listStyleType="none">
          {closing.proposed.map((seat, at) => (
            <li key={seat}>{t.place(at + 1, seat)}</li>
          ))}
        </chakra.ol>
        <chakra.p color="fg.muted">{names ? t.accepted(names) : t.acceptedNone}</chakra.p>
      </Stack>
    </Card>
  );
}

/** Which seats collect in another cycle than the one that was theirs first. */
export const changesOf = ({ cycles, firstOrder }: Pick<Ajo, "cycles" | "firstOrder">) =>
  cycles
    .map(({ cycle, seat, names }) => ({ cycle, seat, names, before: firstOrder.indexOf(seat) + 1 }))
    .filter(({ cycle, before }) => before > 0 && before !== cycle);

/** The turns that are others than at first, and why. */
export function Changes({ ajo }: { ajo: Ajo }) {
  const changes = changesOf(ajo);
  if (changes.length === 0) return null;
  return (
    <Stack gap="1" data-turn-changes>
      <chakra.h3 textStyle="label">{t.changes}</chakra.h3>
      <chakra.ul listStyleType="none">
        {changes.map(({ cycle, seat, names, before }) => (
          <li key={seat}>{t.change(names, seat, cycle, before)}</li>
        ))}
      </chakra.ul>
      <chakra.p textStyle="small" color="fg.muted">
        {t.changesText}
      </chakra.p>
    </Stack>
  );
}

const pseudonym = (name: string): [string, React.ReactNode] => [
  t.pseudonym,
  <chakra.code key="pseudonym" textStyle="small" overflowWrap="anywhere">
    {name}
  </chakra.code>,
];

/** The figures with which the draw can be checked: for a person who asks for them. */
function Proof({ ajo: { closing, me } }: { ajo: Ajo }) {
  if (!closing) return null;
  const { round, rosterDigest } = closing;
  return (
    <chakra.details>
      <chakra.summary cursor="pointer" minHeight="target" display="flex" alignItems="center" color="fg.brand">
        {t.details}
      </chakra.summary>
      <Facts
        rows={[
          ...(round === undefined ? [] : [[t.round, round.toLocaleString("en-NG")] as [string, string]]),
          [
            t.digest,
            <chakra.code key="digest" textStyle="small">
              {rosterDigest.slice(0, 16)}…
            </chakra.code>,
          ],
          ...(me.pseudonym === undefined ? [] : [pseudonym(me.pseudonym)]),
        ]}
      />
    </chakra.details>
  );
}

/** How the order came or comes about: when the list was closed, when it is drawn, and the check of the draw. */
export function Order({ ajo }: { ajo: Ajo }) {
  const { closing, drawn, id } = ajo;
  if (!closing) return null;
  return (
    <Card title={t.title}>
      <Stack gap="3">
        <Facts
          rows={[
            [t.sealed, moment(closing.closedAt)],
            [t.draws, moment(closing.drawAt)],
          ]}
        />
        {drawn && (
          <Flex>
            <LinkButton to={paths.ajoDraw(id)} variant="link">
              {t.proof}
            </LinkButton>
          </Flex>
        )}
        <Proof ajo={ajo} />
      </Stack>
    </Card>
  );
}
