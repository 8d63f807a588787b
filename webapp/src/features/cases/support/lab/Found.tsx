import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { LabLine, LabResult } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { Badge, Note } from "@/ui/bits";
import { labTexts as t } from "../texts";
import { Differences } from "../timemachine/Compare";
import { Raw } from "../timemachine/Figures";

const tones = {
  EDITED: "brand",
  REFUSED: "warning",
  OTHERWISE: "brand",
  NEW: "brand",
  DRIFT: "danger",
  UNDECIDED: "danger",
} as const;

const titles = (events: LabLine["was"]) =>
  events.map(({ title, amount }) => (amount === undefined ? title : `${title}, ${formatNaira(amount)}`)).join("; ") ||
  t.nothing;

function Line({ line: { kind, at, was, would, why } }: { line: LabLine }) {
  return (
    <chakra.li py="3" borderTopWidth="1px" borderColor="border" _first={{ borderTopWidth: "0" }} data-line={kind}>
      <Flex gap="2" align="center" wrap="wrap" mb="1.5">
        <Badge tone={tones[kind]}>{t.lineKinds[kind]}</Badge>
        <chakra.span textStyle="small" color="fg.muted">
          {moment(at)}
        </chakra.span>
      </Flex>
      <chakra.dl textStyle="body" display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="1">
        <chakra.dt color="fg.muted">{t.was}</chakra.dt>
        <chakra.dd overflowWrap="anywhere">{titles(was)}</chakra.dd>
        <chakra.dt color="fg.muted">{t.would}</chakra.dt>
        <chakra.dd overflowWrap="anywhere" fontWeight="600">
          {titles(would)}
        </chakra.dd>
      </chakra.dl>
      {why && (
        <chakra.p textStyle="body" mt="1.5">
          {t.why(why)}
        </chakra.p>
      )}
    </chakra.li>
  );
}

/** What a lab came to, line by line, with the balances and the states that would be otherwise. */
export function Found({ result }: { result: LabResult }) {
  const { events, decided, lines, accounts, states, followedUntil } = result;
  return (
    <Stack gap="5" data-lab={lines.length} role="status">
      <chakra.p textStyle="body" color="fg.muted">
        {t.counted(events, decided)}
      </chakra.p>
      {followedUntil && <Note tone="warning">{t.followedUntil(shortDay(followedUntil))}</Note>}
      {lines.length === 0 && <Note tone="success">{t.same}</Note>}
      {lines.length > 0 && (
        <div>
          <chakra.h3 textStyle="section">{t.lines}</chakra.h3>
          <chakra.ol listStyleType="none">
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are told apart by their place, and never change it
              <Line key={at} line={line} />
            ))}
          </chakra.ol>
        </div>
      )}
      {accounts.length > 0 && (
        <div>
          <chakra.h3 textStyle="section">{t.accounts}</chakra.h3>
          <Differences
            label={t.accounts}
            names={[t.was, t.would]}
            lines={accounts.map(({ account, label, was, would, by }) => ({
              account,
              label,
              kept: was,
              now: would,
              difference: by,
            }))}
          />
        </div>
      )}
      {states.length > 0 && (
        <div>
          <chakra.h3 textStyle="section">{t.states}</chakra.h3>
          {states.map(({ stream, label, was, would }) => (
            <chakra.details key={stream}>
              <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
                {label}
              </chakra.summary>
              <Stack gap="3">
                <Raw label={`${label}. ${t.was}`} text={was} />
                <Raw label={`${label}. ${t.would}`} text={would} />
              </Stack>
            </chakra.details>
          ))}
        </div>
      )}
    </Stack>
  );
}
