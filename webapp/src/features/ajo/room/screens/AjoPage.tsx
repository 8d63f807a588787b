import { Box, Flex, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Ajo } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { ajoSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Emblem } from "@/ui/Emblem";
import { Empty, FailedNote } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { OpenSeat } from "@/ui/illustrations";
import { inPlace, lazyPart } from "@/ui/lazyPart";
import { ListSkeleton, PageSkeleton } from "@/ui/Skeletons";
import { nextOf } from "../next";
import { Choosing } from "../parts/Choosing";
import { CloseList, useClosing } from "../parts/CloseList";
import { Hero } from "../parts/Hero";
import { NextBar } from "../parts/NextBar";
import { Order, Proposed } from "../parts/Order";
import { Past } from "../parts/Past";
import { Payments } from "../parts/Payments";
import { ReadyPots } from "../parts/ReadyPots";
import { Rules } from "../parts/Rules";
import { Tabs, useTab } from "../parts/Tabs";
import { Turns } from "../parts/Turns";

const MoreTab = lazyPart(() => import("../parts/MoreTab").then((m) => m.MoreTab), {
  waiting: <ListSkeleton rows={3} />,
  failed: inPlace,
});

function Head({ ajo: { id, name, amount, frequency, status, members, memberCapacity } }: { ajo: Ajo }) {
  return (
    <Box mb={{ base: "-4", md: "-6" }}>
      <PageHead
        title={name}
        picture={<Emblem id={id} name={name} size="3rem" />}
        detail={
          <>
            {formatNaira(amount)} {ajoWords.every[frequency]} · {ajoWords.seats(members.length, memberCapacity)}{" "}
            <Badge tone={status === "ACTIVE" ? "success" : "brand"}>{ajoWords.status[status]}</Badge>
          </>
        }
      />
    </Box>
  );
}

/** An ajo: the wheel, the one next action, and the rest behind four tabs. */
function Room({ ajo }: { ajo: Ajo }) {
  const { tab, show } = useTab();
  const next = nextOf(ajo);
  const closing = useClosing(ajo);
  return (
    <Flex direction="column" gap="4" data-ajo-status={ajo.status}>
      <Head ajo={ajo} />
      <Hero ajo={ajo} />
      <NextBar ajo={ajo} next={next} tab={tab} onTab={show} closing={closing} />
      <ReadyPots ajo={ajo} />
      <Tabs tab={tab} onShow={show}>
        {tab === "turns" && (
          <Stack gap="4">
            <Choosing ajo={ajo} />
            {ajo.status === "OPEN" && ajo.me.isOwner && <CloseList ajo={ajo} closing={closing} />}
            <Proposed ajo={ajo} />
            <Turns ajo={ajo} />
            <Past ajo={ajo} />
          </Stack>
        )}
        {tab === "payments" && <Payments ajo={ajo} next={next} />}
        {tab === "rules" && (
          <Stack gap="4">
            <Rules ajo={ajo} />
            <Order ajo={ajo} />
          </Stack>
        )}
        {tab === "more" && <MoreTab ajo={ajo} />}
      </Tabs>
    </Flex>
  );
}

/** The page of one ajo. */
export function AjoPage() {
  const { id = "" } = useParams();
  const { remote, load } = useRead(ajoSource(id));
  return (
    <Box>
      <title>Ajo · Adashi</title>
      <BackLink to={paths.ajoGroups}>{ajoWords.toGroups}</BackLink>
      {remote.state === "ready" && <Room ajo={remote.value} />}
      {remote.state === "loading" && <PageSkeleton />}
      {remote.state === "failed" &&
        (remote.missing ? (
          <Card>
            <Empty
              whole
              picture={<OpenSeat />}
              title={ajoWords.missingTitle}
              action={<LinkButton to={paths.ajoGroups}>{ajoWords.toGroups}</LinkButton>}
            >
              {ajoWords.missing}
            </Empty>
          </Card>
        ) : (
          <FailedNote text={remote.text} onRetry={load} />
        ))}
    </Box>
  );
}
