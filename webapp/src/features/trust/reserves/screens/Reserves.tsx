import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { getReserves } from "@/api/records";
import type { Reserves as Attested } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { useRead } from "@/store/useRead";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { Counted } from "../parts/Counted";
import { reservesTexts as t } from "../texts";

const DAYS = 30;
const FIRST = 7;

function Figure({ name, help, amount }: { name: string; help: string; amount: number }) {
  return (
    <Box flex="1 1 14rem">
      <chakra.dt textStyle="label">{name}</chakra.dt>
      <chakra.dd textStyle="figure" mt="1">
        <Naira amount={amount} />
      </chakra.dd>
      <chakra.dd textStyle="small" color="fg.muted" mt="1">
        {help}
      </chakra.dd>
    </Box>
  );
}

const cell = { textAlign: "end", py: "2", ps: "4" } as const;

function Rails({ rails }: Pick<Attested, "rails">) {
  return (
    <Box overflowX="auto" tabIndex={0} role="region" aria-label={t.rails}>
      <chakra.table width="full" textStyle="body" fontVariantNumeric="tabular-nums">
        <chakra.caption textStyle="label" textAlign="start" mb="1">
          {t.rails}
        </chakra.caption>
        <thead>
          <tr>
            <chakra.th scope="col" textAlign="start" color="fg.muted" fontWeight="500" py="2">
              {t.bank}
            </chakra.th>
            {[t.bankHas, t.ledgerHas].map((name) => (
              <chakra.th key={name} scope="col" color="fg.muted" fontWeight="500" {...cell}>
                {name}
              </chakra.th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rails.map((rail) => (
            <chakra.tr key={rail.name} borderTopWidth="1px" borderColor="border">
              <chakra.th scope="row" textAlign="start" fontWeight="600" py="2">
                {rail.name}
              </chakra.th>
              <chakra.td {...cell}>{formatNaira(rail.bank)}</chakra.td>
              <chakra.td {...cell}>{formatNaira(rail.ledger)}</chakra.td>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </Box>
  );
}

function Latest({ reserves }: { reserves: Attested }) {
  const { at, position, owed, held, inTransit, difference, unmatched, covered, rails } = reserves;
  const exact = Number(difference) === 0;
  return (
    <Card title={t.latest} action={<Badge tone={covered ? "success" : "danger"}>{covered ? t.yes : t.no}</Badge>}>
      <Stack gap="5">
        <Note tone={covered ? "success" : "danger"}>{covered ? t.covered : t.notCovered}</Note>
        <chakra.dl display="flex" gap="6" flexWrap="wrap">
          <Figure name={t.owed} help={t.owedHelp} amount={owed} />
          <Figure name={t.held} help={t.heldHelp} amount={held} />
        </chakra.dl>
        <Facts
          rows={[
            [t.unmatched, <Naira key="unmatched" amount={unmatched} />],
            [t.inTransit, <Naira key="transit" amount={inTransit} />],
            [t.difference, exact ? t.exact : <Naira key="difference" amount={Number(difference)} />],
          ]}
        />
        <Rails rails={rails} />
        <chakra.p textStyle="small" color="fg.muted">
          {moment(at)} · {t.position(position)}
        </chakra.p>
      </Stack>
    </Card>
  );
}

function Earlier({ reserves: { at, owed, held, covered } }: { reserves: Attested }) {
  return (
    <Flex justify="space-between" align="center" gap="3" py="3" wrap="wrap">
      <Box>
        <chakra.p textStyle="body" fontWeight="600">
          {moment(at)}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {t.owed}: {formatNaira(owed)} · {t.held}: {formatNaira(held)}
        </chakra.p>
      </Box>
      <Badge tone={covered ? "success" : "danger"}>{covered ? t.yes : t.no}</Badge>
    </Flex>
  );
}

/** Money owed to members and money held, as of each day's count. */
export function Reserves() {
  const { remote, load } = useRead({ key: "reserves", area: "wallet", read: () => getReserves(DAYS) });
  return (
    <chakra.div maxWidth="column">
      <title>Proof of reserves · Adashi</title>
      <PageHead title={t.title} detail={t.lead} />
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {([latest, ...earlier]) =>
          latest ? (
            <Stack gap="4">
              <Latest reserves={latest} />
              <Counted />
              <Card title={t.how}>
                <chakra.p textStyle="body">{t.howText}</chakra.p>
              </Card>
              {earlier.length > 0 && (
                <Card title={t.earlier}>
                  <CollapsibleList items={earlier} first={FIRST}>
                    {(reserves) => <Earlier key={reserves.id} reserves={reserves} />}
                  </CollapsibleList>
                </Card>
              )}
            </Stack>
          ) : (
            <Card>
              <Empty picture={<OpenBook />} title={t.noneTitle}>
                {t.none}
              </Empty>
            </Card>
          )
        }
      </Loaded>
    </chakra.div>
  );
}
