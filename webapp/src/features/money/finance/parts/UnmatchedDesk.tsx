import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getUnmatched } from "@/api/finance";
import type { Unmatched, UnmatchedStatus } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { channelWords } from "@/lib/texts/money";
import { usePages } from "@/store/useRead";
import { Badge, Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";
import { Decide, forMember, forSender } from "./Decide";
import { Propose, ProposeBack } from "./Propose";
import { ProposeReturn } from "./ProposeReturn";
import { Settle } from "./Settle";
import { WentBack } from "./WentBack";

const t = financeTexts.unmatched;
const states: UnmatchedStatus[] = [
  "OPEN",
  "PROPOSED",
  "HELD",
  "ASSIGNED",
  "MATCHED",
  "RETURNED",
  "LEAVING",
  "SENT_BACK",
];
const tones = {
  OPEN: "warning",
  PROPOSED: "brand",
  HELD: "warning",
  ASSIGNED: "success",
  MATCHED: "success",
  RETURNED: "neutral",
  LEAVING: "brand",
  SENT_BACK: "success",
} as const;

function Arrival({ arrival, onChanged }: { arrival: Unmatched; onChanged: () => void }) {
  const { status, amount, channel, reference, providerRef, sender, reason, paidAt, recordedAt, paymentId, payoutId } =
    arrival;
  const { proposal, sendBack, claims = [] } = arrival;
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-unmatched={status}>
      <Flex justify="space-between" gap="3" align="center" wrap="wrap" mb="2">
        <Flex gap="3" align="center" wrap="wrap">
          <chakra.h3 fontWeight="650" fontSize="lg">
            <Naira amount={amount} />
          </chakra.h3>
          <Badge tone={tones[status]}>{t.states[status]}</Badge>
        </Flex>
        <chakra.span textStyle="small" color="fg.muted">
          {channelWords[channel]}
        </chakra.span>
      </Flex>
      <Facts
        rows={[
          [t.reference, reference || t.nothing],
          ...(providerRef ? [[t.provider, providerRef] as [string, string]] : []),
          ...(sender ? [[t.sender, sender] as [string, string]] : []),
          [t.reason, reason],
          ...(paymentId ? [[t.payment, paymentId] as [string, string]] : []),
          ...(payoutId ? [[t.payout, payoutId] as [string, string]] : []),
          [t.paid, moment(paidAt)],
          [t.recorded, moment(recordedAt)],
          ...claims.map((claim) => [t.claim, t.claimed(claim)] as [string, string]),
        ]}
      />
      <Box mt="3">
        {sendBack && sendBack.state !== "PROPOSED" && <WentBack back={sendBack} />}
        {status === "OPEN" && (
          <Flex gap="2" wrap="wrap" align="center">
            <Propose arrival={arrival} onChanged={onChanged} />
            <ProposeReturn arrival={arrival} onChanged={onChanged} />
            {channel === "CARD" ? (
              <chakra.p textStyle="small" color="fg.muted">
                {t.backByCard}
              </chakra.p>
            ) : (
              <ProposeBack arrival={arrival} onChanged={onChanged} />
            )}
          </Flex>
        )}
        {status === "HELD" && <Settle arrival={arrival} onChanged={onChanged} />}
        {proposal && <Decide arrival={arrival} proposal={forMember(arrival, proposal)} onChanged={onChanged} />}
        {sendBack?.state === "PROPOSED" && (
          <Decide arrival={arrival} proposal={forSender(arrival, sendBack)} onChanged={onChanged} />
        )}
      </Box>
    </chakra.li>
  );
}

/** Money that came and belongs to nobody known: one person proposes whose it is, another agrees. */
export function UnmatchedDesk() {
  const [status, setStatus] = useState<UnmatchedStatus>();
  const { remote, rows, load, askMore, paging } = usePages({
    key: `unmatched:${status}`,
    area: "finance",
    topics: ["desk:finance"],
    rows: "arrivals",
    read: ({ before }) => getUnmatched(status, before),
  });
  return (
    <Card title={t.title}>
      <Stack gap="5">
        <Box maxWidth="16rem">
          <SelectField
            label={t.show}
            value={status ?? ""}
            onChange={(event) => setStatus(states.find((one) => one === event.target.value))}
          >
            <option value="">{t.waiting}</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {t.states[one]}
              </option>
            ))}
          </SelectField>
        </Box>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
          {({ openCount, openAmount }) => (
            <>
              <chakra.p textStyle="body" color="fg.muted">
                {t.lead(openCount, formatNaira(openAmount))}
              </chakra.p>
              {rows.length === 0 ? (
                <Empty picture={<OpenBook />} title={t.noneTitle}>
                  {t.none}
                </Empty>
              ) : (
                <chakra.ul listStyleType="none">
                  {rows.map((arrival) => (
                    <Arrival key={arrival.id} arrival={arrival} onChanged={() => void load()} />
                  ))}
                </chakra.ul>
              )}
              <More onMore={askMore} busy={paging} />
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}
