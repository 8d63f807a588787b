import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReplayEntry, ReplayStep } from "@/api/schema.gen";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { CheckIcon, PlusIcon } from "@/ui/icons";
import { Naira } from "@/ui/money/Naira";
import type { Named } from "../parts/useNamed";
import { machineTexts as t } from "../texts";
import { Raw } from "./Figures";

const cell = { py: "2", borderTopWidth: "1px", borderColor: "border", verticalAlign: "top" } as const;

function Entries({ entries }: { entries: ReplayEntry[] }) {
  if (entries.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.noEntries}
      </chakra.p>
    );
  }
  return (
    <chakra.table width="full" textStyle="body" aria-label={t.entries} css={{ borderCollapse: "collapse" }}>
      <thead>
        <tr>
          {[t.account, t.amount, t.balance].map((name, at) => (
            <chakra.th
              key={name}
              scope="col"
              textStyle="small"
              color="fg.muted"
              fontWeight="500"
              textAlign={at ? "end" : "start"}
              pb="1"
            >
              {name}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ account, label, amount, balance, own }) => (
          <tr key={`${account}${amount}`}>
            <chakra.th {...cell} scope="row" textAlign="start" fontWeight={own ? "650" : "400"} overflowWrap="anywhere">
              {label} {own && <Badge tone="brand">{t.own}</Badge>}
            </chakra.th>
            <chakra.td {...cell} textAlign="end" ps="2" fontWeight="600">
              <Naira amount={amount} />
            </chakra.td>
            <chakra.td {...cell} textAlign="end" ps="2" color="fg.muted">
              {balance !== undefined && <Naira amount={balance} />}
            </chakra.td>
          </tr>
        ))}
      </tbody>
    </chakra.table>
  );
}

/** The story of one event: what it is called, what it moved, as it was written down; and that the outcome names it. */
export function Event({ step, named }: { step: ReplayStep; named: Named }) {
  const { eventId, title, type, entries, body } = step;
  const has = named.has(eventId);
  return (
    <Stack gap="4" data-event={eventId}>
      <div>
        <chakra.h3 textStyle="section">{title}</chakra.h3>
        <chakra.p textStyle="small" color="fg.muted" fontFamily="mono" overflowWrap="anywhere">
          {type}
        </chakra.p>
      </div>
      <Entries entries={entries} />
      <chakra.details>
        <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
          {t.body}
        </chakra.summary>
        <Raw label={title} text={body} />
      </chakra.details>
      <Flex gap="3" wrap="wrap">
        <CopyButton value={eventId} what={t.eventId} size="md" />
        <Button
          variant={has ? "secondary" : "outline"}
          icon={has ? <CheckIcon /> : <PlusIcon />}
          aria-pressed={has}
          disabled={!has && named.full}
          onClick={() => named.toggle(step)}
        >
          {has ? t.unname : t.name}
        </Button>
        <Button variant="outline" disabled={named.tries(step.position)} onClick={() => named.tryIt(step)}>
          {named.tries(step.position) ? t.tried : t.tryIt}
        </Button>
      </Flex>
    </Stack>
  );
}
