import { chakra, Flex, Stack } from "@chakra-ui/react";
import { acceptAjoOrder, revealToAjo } from "@/api/ajoActs";
import type { Ajo } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { keptSecret } from "@/lib/draw/secrets";
import { paths } from "@/lib/paths";
import { useAjoActs } from "@/store/useCommand";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { orderTexts as t } from "../texts";

function Reveal({ ajo: { id, me } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const secret = keptSecret(id, me.userId);
  return (
    <Note tone="warning" title={t.revealTitle} live>
      <p>{secret ? t.reveal : t.revealLost}</p>
      {secret && (
        <Flex mt="3">
          <Button
            loading={busy !== undefined}
            onClick={() => void act(`reveal:${id}`, (key) => revealToAjo(key, id, secret))}
          >
            {t.revealDo}
          </Button>
        </Flex>
      )}
    </Note>
  );
}

function Accept({ ajo }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const { id, me, closing } = ajo;
  if (!closing?.proposed) return null;
  const names = (closing.accepted ?? []).join(", ");
  return (
    <Stack gap="3">
      <chakra.ol listStyleType="none">
        {closing.proposed.map((seat, at) => (
          <li key={seat}>{t.place(at + 1, seat)}</li>
        ))}
      </chakra.ol>
      <chakra.p color="fg.muted">{names ? t.accepted(names) : t.acceptedNone}</chakra.p>
      {me.mustAcceptOrder && (
        <Note tone="warning" title={t.acceptTitle} live>
          <p>{t.accept(closing.acceptBy ? moment(closing.acceptBy) : "")}</p>
          <Flex mt="3">
            <Button
              loading={busy !== undefined}
              onClick={() => void act(`acceptOrder:${id}`, (key) => acceptAjoOrder(key, id))}
            >
              {t.acceptDo}
            </Button>
          </Flex>
        </Note>
      )}
    </Stack>
  );
}

/** Which seats collect in another cycle than the one that was theirs first. */
export const changesOf = ({ cycles, firstOrder }: Pick<Ajo, "cycles" | "firstOrder">) =>
  cycles
    .map(({ cycle, seat, names }) => ({ cycle, seat, names, before: firstOrder.indexOf(seat) + 1 }))
    .filter(({ cycle, before }) => before > 0 && before !== cycle);

function Changes({ ajo }: { ajo: Ajo }) {
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

/** How the order came or comes about: the sealed list, the draw, what one has to do for it. */
export function Order({ ajo }: { ajo: Ajo }) {
  const { closing, me, drawn, id } = ajo;
  if (!closing) return null;
  const { closedAt, drawAt, round, rosterDigest, revealed, source } = closing;
  return (
    <Card
      title={t.title}
      action={
        drawn && (
          <LinkButton to={paths.ajoDraw(id)} variant="outline" size="sm">
            {t.proof}
          </LinkButton>
        )
      }
    >
      <Stack gap="4">
        <Facts
          rows={[
            [t.sealed, moment(closedAt)],
            [t.draws, moment(drawAt)],
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
        {!drawn && source === "BEACON" && <chakra.p color="fg.muted">{t.beacon}</chakra.p>}
        {revealed !== undefined && source === "PHONES" && <p>{t.revealed(revealed)}</p>}
        {me.mustReveal && <Reveal ajo={ajo} />}
        <Accept ajo={ajo} />
        <Changes ajo={ajo} />
      </Stack>
    </Card>
  );
}
