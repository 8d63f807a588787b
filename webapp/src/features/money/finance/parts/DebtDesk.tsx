import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { agreeWriteOff, declineWriteOff, getDebts, proposeWriteOff, unlockCards } from "@/api/finance";
import type { Debt, LockedCards } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { proposeWriteOffLimits } from "@/lib/limits.gen";
import { formatNaira } from "@/lib/money";
import { told } from "@/store/reportMoney";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { LongField } from "@/ui/form/fields";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";

const t = financeTexts.debts;
const { min: REASON_MIN, max: REASON_MAX } = proposeWriteOffLimits.reason;

/** The last characters of a member's id, which is what the desk calls them. */
const called = (userId: string) => userId.slice(-6);

interface AskProps {
  name: string;
  about: string;
  title: string;
  onYes: (reason: string) => Promise<unknown>;
}

/** A button that asks why before it does something. */
function Ask({ name, about, title, onYes }: AskProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  const yes = async () => {
    if (reason.trim().length < REASON_MIN) {
      setFault(t.whyFault);
      return false;
    }
    return Boolean(await onYes(reason.trim()));
  };
  return (
    <>
      <Button size="sm" variant="outline" aria-label={`${name}: ${about}`} onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Confirm open={open} title={title} yes={name} no={t.no} onClose={() => setOpen(false)} onYes={yes}>
        <LongField
          label={t.why}
          maxLength={REASON_MAX}
          value={reason}
          error={fault}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </>
  );
}

const saying = ({ amount, proposal }: Debt) =>
  [formatNaira(amount), proposal && `${t.proposed(proposal.proposerName)}: ${proposal.reason}`]
    .filter(Boolean)
    .join(" · ");

function Owed({ debt, onChanged }: { debt: Debt; onChanged: () => void }) {
  const { saw, changed, look, done: forget } = useSeen(debt, ({ proposal }) => proposal?.version);
  const [sure, setSure] = useState(false);
  const { userId, amount, since, proposal } = debt;
  const about = called(userId);
  const close = () => {
    setSure(false);
    forget();
  };
  const then = async (asked: Promise<unknown>) => {
    const done = await told(asked as ReturnType<typeof proposeWriteOff>, true, onChanged);
    if (done) onChanged();
    return Boolean(done);
  };
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-debt>
      <chakra.h3 fontWeight="650" fontSize="lg" mb="2">
        <Naira amount={amount} />
      </chakra.h3>
      <Facts
        rows={[
          [t.member, about],
          [t.since, moment(since)],
          ...(proposal ? [[t.proposed(proposal.proposerName), proposal.reason] as [string, string]] : []),
        ]}
      />
      <Flex gap="2" mt="3" wrap="wrap">
        {!proposal && (
          <Ask
            name={t.propose}
            about={about}
            title={t.proposeTitle}
            onYes={(why) => then(proposeWriteOff(userId, why))}
          />
        )}
        {proposal && !proposal.mine && (
          <Button
            size="sm"
            aria-label={`${t.agree}: ${about}`}
            onClick={() => {
              look();
              setSure(true);
            }}
          >
            {t.agree}
          </Button>
        )}
        {proposal && (
          <Ask
            name={proposal.mine ? t.takeBack : t.decline}
            about={about}
            title={t.declineTitle}
            onYes={(why) => then(declineWriteOff(userId, proposal.version, why))}
          />
        )}
      </Flex>
      <Confirm
        open={sure}
        title={t.agreeTitle}
        yes={t.agree}
        no={t.no}
        onClose={close}
        onYes={() => then(agreeWriteOff(userId, saw.proposal?.version ?? ""))}
      >
        {t.agreeText(formatNaira(saw.amount))}
        {changed && <Changed saw={saying(saw)} now={saying(debt)} />}
      </Confirm>
    </chakra.li>
  );
}

function Locked({ cards, onChanged }: { cards: LockedCards; onChanged: () => void }) {
  const unlock = async (why: string) => {
    const done = await told(unlockCards(cards.userId, why), true);
    if (done) onChanged();
    return done;
  };
  return (
    <chakra.li py="3" data-locked>
      <Facts
        rows={[
          [t.member, called(cards.userId)],
          [t.locked, moment(cards.since)],
        ]}
      />
      <Flex mt="3">
        <Ask name={t.unlock} about={called(cards.userId)} title={t.unlockTitle} onYes={unlock} />
      </Flex>
    </chakra.li>
  );
}

/** What members owe since banks took payments back: one person proposes a write-off, another agrees. */
export function DebtDesk() {
  const { remote, rows, load, askMore, paging } = usePages({
    key: "debts",
    area: "finance",
    topics: ["desk:finance"],
    rows: "debts",
    read: ({ before }) => getDebts(before),
  });
  const again = () => void load();
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
      {({ count, amount, locked }) => (
        <Stack gap="5">
          <Card title={t.title}>
            <chakra.p textStyle="body" color="fg.muted" mb="4">
              {t.lead(count, formatNaira(amount))}
            </chakra.p>
            {rows.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.noneTitle}>
                {t.none}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none">
                {rows.map((debt) => (
                  <Owed key={debt.userId} debt={debt} onChanged={again} />
                ))}
              </chakra.ul>
            )}
            <More onMore={askMore} busy={paging} />
          </Card>
          {locked.length > 0 && (
            <Card title={t.lockedTitle}>
              <chakra.ul listStyleType="none">
                {locked.map((cards) => (
                  <Locked key={cards.userId} cards={cards} onChanged={again} />
                ))}
              </chakra.ul>
            </Card>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
