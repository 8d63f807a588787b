import { Box, chakra, Grid, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Ajo } from "@/api/schema.gen";
import { Debt } from "@/features/ajo/pay";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { screenTexts } from "@/lib/texts/common";
import { ajoSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Emblem } from "@/ui/Emblem";
import { Empty, FailedNote } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { ShareIcon } from "@/ui/icons";
import { OpenSeat } from "@/ui/illustrations";
import { PageSkeleton } from "@/ui/Skeletons";
import { Choosing } from "../parts/Choosing";
import { ListOpen, Past, Terms } from "../parts/ListOpen";
import { Members } from "../parts/Members";
import { Motions } from "../parts/Motions";
import { MyDue } from "../parts/MyDue";
import { Order } from "../parts/Order";
import { Places } from "../parts/Places";
import { Pot } from "../parts/Pot";
import { ReadyPots } from "../parts/ReadyPots";
import { Rules } from "../parts/Rules";
import { Swaps } from "../parts/Swaps";
import { Turns } from "../parts/Turns";
import { debtTexts, roomTexts as t } from "../texts";

function Head({ ajo }: { ajo: Ajo }) {
  const { id, name, amount, frequency, status, members, memberCapacity, invitationLink, cycles } = ajo;
  return (
    <PageHead
      title={name}
      picture={<Emblem id={id} name={name} size="3.5rem" />}
      detail={
        <>
          {formatNaira(amount)} {ajoWords.every[frequency]} · {ajoWords.seats(members.length, memberCapacity)}{" "}
          <Badge tone={status === "ACTIVE" ? "success" : "brand"}>{ajoWords.status[status]}</Badge>
        </>
      }
      action={
        <>
          {status === "OPEN" && invitationLink && (
            <LinkButton to={paths.inviteAjo(id)} icon={<ShareIcon />}>
              {t.invite}
            </LinkButton>
          )}
          {cycles.length > 0 && (
            <>
              <LinkButton to={paths.ajoPayouts(id)} variant="outline">
                {t.payouts}
              </LinkButton>
              <LinkButton to={paths.ajoAudit(id)} variant="outline">
                {t.audit}
              </LinkButton>
            </>
          )}
        </>
      }
    />
  );
}

function Debts({ ajo: { id, debts, currentAjoCyle } }: { ajo: Ajo }) {
  const open = debts.filter(({ left }) => left > 0);
  return (
    <Card
      title={debtTexts.title}
      action={
        <LinkButton variant="link" to={paths.newDispute({ ajo: id, cycle: currentAjoCyle?.cycle })}>
          {screenTexts.wrong}
        </LinkButton>
      }
    >
      {open.length === 0 ? (
        <chakra.p color="fg.muted">{debtTexts.none}</chakra.p>
      ) : (
        <Stack gap="0" divideY="1px" divideColor="border">
          {open.map((debt) => (
            <Debt key={debt.id} debt={debt} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function Room({ ajo }: { ajo: Ajo }) {
  // Before it has begun there is nothing to pay but a deposit, and nothing to owe.
  const began = ajo.cycles.length > 0;
  const deposits = ajo.me.depositDue > 0 || ajo.me.deposited > 0;
  return (
    <Stack gap="4" data-ajo-status={ajo.status}>
      <Box mb="-4">
        <Head ajo={ajo} />
      </Box>
      {ajo.description && <chakra.p overflowWrap="anywhere">{ajo.description}</chakra.p>}
      <Terms ajo={ajo} />
      <ReadyPots ajo={ajo} />
      <Grid
        templateColumns={{ base: "minmax(0, 1fr)", xl: "minmax(0, 1.5fr) minmax(0, 1fr)" }}
        gap="4"
        alignItems="start"
      >
        <Stack gap="4">
          {(began || deposits) && <MyDue ajo={ajo} />}
          <Pot ajo={ajo} />
          <Turns ajo={ajo} />
          <Past ajo={ajo} />
          {began && (
            <>
              <Debts ajo={ajo} />
              <Members ajoId={ajo.id} />
            </>
          )}
        </Stack>
        <Stack gap="4">
          <Choosing ajo={ajo} />
          <ListOpen ajo={ajo} />
          <Order ajo={ajo} />
          <Places ajo={ajo} />
          <Swaps ajo={ajo} />
          <Motions ajo={ajo} />
          <Rules ajo={ajo} />
        </Stack>
      </Grid>
    </Stack>
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
