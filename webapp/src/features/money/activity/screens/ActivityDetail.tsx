import { chakra, Grid, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { MovementDetail, MovementKind } from "@/api/schema.gen";
import { Question } from "@/features/cases/questions";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { screenTexts } from "@/lib/texts/common";
import { channelWords } from "@/lib/texts/money";
import { movementSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { CopyButton } from "@/ui/CopyButton";
import { BackLink } from "@/ui/frame";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { Story } from "@/ui/Story";
import { Entries } from "../parts/Entries";
import { Proof, Withheld } from "../parts/Proof";
import { ReceiptFiles } from "../parts/ReceiptFiles";
import { activityTexts } from "../texts";

const t = activityTexts.detail;

function facts({ movement, settled = [] }: MovementDetail): [string, ReactNode][] {
  const rows: [string, ReactNode | undefined | false][] = [
    [t.date, moment(movement.date)],
    [t.channel, movement.channel && channelWords[movement.channel]],
    [t.group, movement.groupName],
    [t.subAccount, movement.subAccountName],
    [t.settled, settled.length > 0 && settled.map(({ label }) => label).join(", ")],
    [t.charge, movement.charge ? <Naira key="charge" amount={movement.charge} /> : undefined],
    [t.balanceAfter, movement.balanceAfter !== undefined && <Naira key="after" amount={movement.balanceAfter} />],
    [t.reference, movement.reference],
  ];
  return rows.filter((row): row is [string, ReactNode] => Boolean(row[1]));
}

/** Movements by which nobody was paid: no receipt of them is issued. */
const unpaid: MovementKind[] = ["MONEY_HELD", "HOLD_ENDED"];

function Fingerprint({ leafHash }: { leafHash: string }) {
  return (
    <>
      <chakra.p textStyle="body" color="fg.muted">
        {t.leaf}
      </chakra.p>
      <chakra.p fontFamily="mono" fontSize="xs" bg="bg.muted" borderRadius="md" px="3" py="2.5" overflowWrap="anywhere">
        {leafHash}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {t.leafHelp}
      </chakra.p>
    </>
  );
}

function Record({ movement, leafHash }: MovementDetail) {
  return (
    <Card title={t.proof} action={leafHash && <CopyButton value={leafHash} what="fingerprint" />}>
      <Stack gap="3">
        <Facts rows={[[t.position, t.positionText(movement.position)]]} />
        {leafHash ? <Fingerprint leafHash={leafHash} /> : <Withheld />}
      </Stack>
      {leafHash && <Proof movement={movement} leafHash={leafHash} />}
    </Card>
  );
}

function Detail({ detail }: { detail: MovementDetail }) {
  const { movement } = detail;
  return (
    <Stack gap="4">
      <Card>
        <chakra.h1 textStyle="section" overflowWrap="anywhere">
          {movement.title}
        </chakra.h1>
        <chakra.p textStyle="hero" my="4">
          <Naira amount={movement.amount} direction={movement.direction === "IN" ? "in" : "out"} />
        </chakra.p>
        <Facts rows={facts(detail)} />
        {!unpaid.includes(movement.kind) && <ReceiptFiles movement={movement} />}
        <LinkButton variant="link" to={paths.newDispute({ movement: movement.id })}>
          {screenTexts.wrong}
        </LinkButton>
      </Card>
      {detail.queried && <Question id={movement.id} />}
      <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4">
        <Card title={t.story}>
          <Story story={detail.story} />
        </Card>
        <Card title={t.entries}>
          <Entries entries={detail.entries} />
        </Card>
      </Grid>
      <Record {...detail} />
    </Stack>
  );
}

export function ActivityDetail() {
  const { id = "" } = useParams();
  const { remote: detail, load } = useRead(movementSource(id));
  return (
    <chakra.div>
      <title>Payment · Adashi</title>
      <BackLink to={paths.activity}>{t.back}</BackLink>
      <chakra.div mt="3">
        {/* Who asked for a payout is asked about it too, and has no movement of it. */}
        {detail.state === "failed" && detail.missing && <Question id={id} />}
        <Loaded remote={detail} skeleton={<PageSkeleton />} onRetry={load}>
          {(value) => <Detail detail={value} />}
        </Loaded>
      </chakra.div>
    </chakra.div>
  );
}
