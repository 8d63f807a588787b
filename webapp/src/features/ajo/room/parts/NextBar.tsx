import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { acceptAjoOrder, acceptAjoTerms, revealToAjo } from "@/api/ajoActs";
import type { Ajo, AjoCycle, AjoPayout } from "@/api/schema.gen";
import { debtWords, PayNow, payTexts } from "@/features/ajo/pay";
import { moment, shortDay } from "@/lib/dates";
import { keptSecret } from "@/lib/draw/secrets";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoPayoutSource } from "@/store/ajoSources";
import { useAjoActs } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { ShareIcon } from "@/ui/icons";
import { PayButton } from "@/ui/offline/PayButton";
import { type Next, waitingPots } from "../next";
import { Approve } from "../payouts/Approve";
import { RequestModal } from "../payouts/RequestModal";
import { dueTexts, openTexts, orderTexts, nextTexts as t } from "../texts";
import { OpenBid } from "./Choosing";
import { CloseButton, type Closing } from "./CloseList";
import type { Tab } from "./Tabs";

/** The one thing to do next: on a phone in reach of the thumb, from 1024 px beneath the hero. */
function Bar({ says, children }: { says: ReactNode; children?: ReactNode }) {
  return (
    <Flex
      data-bar
      role="region"
      aria-label={t.label}
      order={{ base: "1", lg: "0" }}
      position={{ base: "sticky", lg: "static" }}
      bottom="var(--frame-bottom)"
      zIndex="docked"
      align="center"
      justify="space-between"
      gap="3"
      mx={{ base: "-4", md: "-8", lg: "0" }}
      px={{ base: "4", md: "8", lg: "6" }}
      py="2.5"
      bg="bg.panel"
      borderColor="border"
      borderTopWidth="1px"
      borderBottomWidth={{ lg: "1px" }}
      borderInlineWidth={{ lg: "1px" }}
      borderRadius={{ lg: "card" }}
    >
      <Box textStyle="small" minWidth="0" overflowWrap="anywhere">
        {says}
      </Box>
      <Flex gap="2" flexShrink="0" wrap="wrap" justify="flex-end" maxWidth="60%">
        {children}
      </Flex>
    </Flex>
  );
}

function Other({ to, what }: { to: string; what: string }) {
  return (
    <chakra.div>
      <LinkButton to={to} size="sm" variant="outline" aria-label={payTexts.otherFor(what)}>
        {payTexts.other}
      </LinkButton>
    </chakra.div>
  );
}

function Due({ ajo: { id, paymentDto } }: { ajo: Ajo }) {
  if (!paymentDto) return null;
  const { cycle, seat, amount, due } = paymentDto;
  const what = dueTexts.what(cycle, seat);
  return (
    <Bar says={t.due(shortDay(due))}>
      <PayNow
        ajoId={id}
        pay={{ what: "DUE", amount, cycle, seat }}
        what={what}
        shown={payTexts.yes(formatNaira(amount))}
      >
        <Other to={paths.ajoPayment({ ajoId: id, cycle, seat })} what={what} />
      </PayNow>
    </Bar>
  );
}

function Deposit({ ajo: { id, me } }: { ajo: Ajo }) {
  const { depositDue: amount, seats } = me;
  const what = dueTexts.depositTitle;
  return (
    <Bar says={dueTexts.deposit(formatNaira(amount))}>
      <PayNow
        ajoId={id}
        pay={{ what: "DEPOSIT", amount, seat: seats[0] }}
        what={what}
        shown={t.payDeposit(formatNaira(amount))}
      >
        <Other to={paths.ajoPayment({ ajoId: id })} what={what} />
      </PayNow>
    </Bar>
  );
}

function Debt({ ajo: { id }, debt }: { ajo: Ajo; debt: Ajo["debts"][number] }) {
  const words = debtWords(debt);
  return (
    <Bar says={words}>
      <PayNow
        ajoId={id}
        pay={{ what: "DEBT", amount: debt.left, debtId: debt.id }}
        what={words}
        shown={payTexts.yes(formatNaira(debt.left))}
      >
        {t.debtText}
      </PayNow>
    </Bar>
  );
}

function CollectIt({ payout }: { payout: AjoPayout }) {
  const [asking, setAsking] = useState(false);
  const amount = formatNaira(payout.mine ?? 0);
  return (
    <>
      <PayButton aria-label={t.collectIt(amount, payout.cycle)} onClick={() => setAsking(true)}>
        {t.collect(amount)}
      </PayButton>
      <RequestModal payout={payout} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

/** A pot that I may collect. Its amount is the one that I really get. */
function Collect({ ajo: { id }, cycle: { cycle } }: { ajo: Ajo; cycle: AjoCycle }) {
  const { remote } = useRead(ajoPayoutSource(id, cycle));
  const payout = remote.state === "ready" && remote.value.mayRequest ? remote.value : undefined;
  return (
    <Bar says={payout ? t.ready(cycle, formatNaira(payout.mine ?? 0)) : t.readyPlain(cycle)}>
      {payout && <CollectIt payout={payout} />}
      {!payout && remote.state !== "loading" && <LinkButton to={paths.ajoPayouts(id, cycle)}>{t.seePayout}</LinkButton>}
    </Bar>
  );
}

/** The first of the pots whose payout waits for my approval; where there is none, the rest. */
function Approvals({ ajoId, cycles: [first, ...more], rest }: { ajoId: string; cycles: AjoCycle[]; rest: ReactNode }) {
  const { remote } = useRead(first && ajoPayoutSource(ajoId, first.cycle));
  if (!first) return rest;
  if (remote.state === "loading") return null;
  if (remote.state === "failed" || !remote.value.mayApprove) {
    return <Approvals key={first.cycle} ajoId={ajoId} cycles={more} rest={rest} />;
  }
  const { requestedBy = "", holders } = remote.value;
  const sum = holders.reduce((total, { amount }) => total + amount, 0);
  return (
    <Bar says={t.asks(requestedBy, formatNaira(sum))}>
      <Approve payout={remote.value} />
    </Bar>
  );
}

function Terms({ ajo: { id, termsHash, acceptBy } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const says = (
    <>
      <chakra.p fontWeight="650">{openTexts.termsTitle}</chakra.p>
      <p>{openTexts.terms(acceptBy ? moment(acceptBy) : "")}</p>
    </>
  );
  return (
    <Bar says={says}>
      <Button
        loading={busy !== undefined}
        onClick={() => void act(`terms:${id}:${termsHash}`, (key) => acceptAjoTerms(key, id, termsHash))}
      >
        {openTexts.acceptTerms}
      </Button>
    </Bar>
  );
}

function Reveal({ ajo: { id, me } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const secret = keptSecret(id, me.userId);
  const says = (
    <>
      <chakra.p fontWeight="650">{orderTexts.revealTitle}</chakra.p>
      <p>{secret ? orderTexts.reveal : orderTexts.revealLost}</p>
    </>
  );
  return (
    <Bar says={says}>
      {secret && (
        <Button
          loading={busy !== undefined}
          onClick={() => void act(`reveal:${id}`, (key) => revealToAjo(key, id, secret))}
        >
          {orderTexts.revealDo}
        </Button>
      )}
    </Bar>
  );
}

function AcceptOrder({ ajo: { id, closing } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  const says = (
    <>
      <chakra.p fontWeight="650">{orderTexts.acceptTitle}</chakra.p>
      <p>{orderTexts.accept(closing?.acceptBy ? moment(closing.acceptBy) : "")}</p>
    </>
  );
  return (
    <Bar says={says}>
      <Button
        loading={busy !== undefined}
        onClick={() => void act(`acceptOrder:${id}`, (key) => acceptAjoOrder(key, id))}
      >
        {orderTexts.acceptDo}
      </Button>
    </Bar>
  );
}

interface NextBarProps {
  ajo: Ajo;
  next: Next;
  tab: Tab;
  onTab: (tab: Tab) => void;
  closing: Closing;
}

/** What can wait: votes and swaps to answer; the owner closes the list; everybody invites. */
function Rest({ ajo, tab, onTab, closing }: Omit<NextBarProps, "next">) {
  const { id, me, swaps, motions, status, invitationLink } = ajo;
  const answers = swaps.some(({ mayAgree }) => mayAgree) || motions.some(({ mayVote }) => mayVote);
  if (answers && tab !== "more") {
    return (
      <Bar says={t.waits}>
        <Button onClick={() => onTab("more")}>{t.answer}</Button>
      </Bar>
    );
  }
  if (status !== "OPEN") return null;
  if (me.mayClose) {
    return (
      <Bar says={openTexts.closeText}>
        <CloseButton closing={closing} />
      </Bar>
    );
  }
  return (
    invitationLink && (
      <Bar says={t.inviteText}>
        <LinkButton to={paths.inviteAjo(id)} icon={<ShareIcon />}>
          {t.invite}
        </LinkButton>
      </Bar>
    )
  );
}

/** The reader's next action in this ajo, and only that one. */
export function NextBar(props: NextBarProps) {
  const { ajo, next } = props;
  switch (next.kind) {
    case "REVEAL":
      return <Reveal ajo={ajo} />;
    case "TERMS":
      return <Terms ajo={ajo} />;
    case "ORDER":
      return <AcceptOrder ajo={ajo} />;
    case "BID":
      return ajo.currentAjoCyle ? <OpenBid ajo={ajo} cycle={ajo.currentAjoCyle} frame={Bar} /> : null;
    case "DUE":
      return <Due ajo={ajo} />;
    case "DEBT":
      return <Debt ajo={ajo} debt={next.debt} />;
    case "COLLECT":
      return <Collect ajo={ajo} cycle={next.cycle} />;
    case "DEPOSIT":
      return <Deposit ajo={ajo} />;
    case "LATER":
      return <Approvals ajoId={ajo.id} cycles={waitingPots(ajo)} rest={<Rest {...props} />} />;
  }
}
