import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useParams } from "react-router";
import type { Withdrawal as One } from "@/api/schema.gen";
import { getWithdrawal } from "@/api/withdrawals";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { present } from "@/lib/present";
import { ofWallet } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { BackLink } from "@/ui/frame";
import { CheckIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { Charges } from "@/ui/money/PayoutReview";
import { PageSkeleton } from "@/ui/Skeletons";
import { Story } from "@/ui/Story";
import { tones } from "../parts/Withdrawals";
import { SLOW_MS, withdrawTexts as t } from "../texts";

const ASK_MS = 5000;

const isOpen = ({ status }: One) => status === "REQUESTED" || status === "SENT";

/** The progress in three steps; reached steps are ticked. */
function Steps({ status }: Pick<One, "status">) {
  const reached = { REQUESTED: 1, SENT: 2, PAID: 3, FAILED: 0, REVERSED: 0 }[status];
  if (reached === 0) return null;
  return (
    <chakra.ol listStyleType="none" display="flex" flexDirection={{ base: "column", md: "row" }} gap="3" mt="4">
      {[t.steps.set, t.steps.sent, t.steps.paid].map((name, at) => {
        const done = at < reached;
        return (
          <chakra.li
            key={name}
            flex="1"
            display="flex"
            gap="2"
            alignItems="center"
            textStyle="body"
            color={done ? "fg.success" : "fg.muted"}
            aria-current={at === reached && reached < 3 ? "step" : undefined}
          >
            <Flex
              boxSize="6"
              flexShrink="0"
              borderRadius="full"
              borderWidth="1px"
              borderColor="current"
              align="center"
              justify="center"
              fontSize="sm"
            >
              {done && <CheckIcon />}
            </Flex>
            {name}
          </chakra.li>
        );
      })}
    </chakra.ol>
  );
}

/** Whether it has been under way for longer than it should. */
function useSlow(withdrawal: One): boolean {
  const [now, setNow] = useState(() => present().getTime());
  const open = isOpen(withdrawal);
  useEffect(() => {
    if (!open) return;
    const ticking = setInterval(() => setNow(present().getTime()), ASK_MS);
    return () => clearInterval(ticking);
  }, [open]);
  return open && now - Date.parse(withdrawal.dateCreated) > SLOW_MS;
}

function Stands({ withdrawal }: { withdrawal: One }) {
  const { status, net, reason } = withdrawal;
  const slow = useSlow(withdrawal);
  const said = t.stateText[status];
  return (
    <Card title={t.progress} action={<Badge tone={tones[status]}>{t.states[status]}</Badge>}>
      <chakra.div role="status" data-withdrawal={status}>
        <chakra.p>{typeof said === "function" ? said(formatNaira(net)) : said}</chakra.p>
        {reason && !isOpen(withdrawal) && (
          <chakra.p mt="2" color="fg.muted">
            {t.reason}: {reason}
          </chakra.p>
        )}
      </chakra.div>
      <Steps status={status} />
      {slow && (
        <chakra.div mt="4">
          <Note tone="warning" title={t.slow} live>
            {t.doubt}
          </Note>
        </chakra.div>
      )}
    </Card>
  );
}

function Detail({ withdrawal }: { withdrawal: One }) {
  const { net, dateCreated, bankName, accountNumber, accountName, providerRef, activityId, story } = withdrawal;
  return (
    <Stack gap="4">
      <Card>
        <chakra.h1 textStyle="section">{t.one}</chakra.h1>
        <chakra.p textStyle="hero" my="4">
          <Naira amount={net} />
        </chakra.p>
        <Facts
          rows={[
            [t.to, accountName],
            ["", t.account(bankName, accountNumber)],
            [t.when, moment(dateCreated)],
            ...(providerRef ? [[t.session, providerRef] as [string, string]] : []),
          ]}
        />
      </Card>
      <Stands withdrawal={withdrawal} />
      <Card title={t.facts}>
        <Charges figures={withdrawal} words={t} />
      </Card>
      <Card title={t.story}>
        <Story story={story} />
      </Card>
      <Flex gap="3" wrap="wrap">
        {activityId && (
          <LinkButton to={paths.activityDetail(activityId)} variant="outline">
            {t.movement}
          </LinkButton>
        )}
        <LinkButton to={paths.withdraw} variant="ghost">
          {isOpen(withdrawal) ? t.history : t.again}
        </LinkButton>
      </Flex>
    </Stack>
  );
}

/** One withdrawal: it follows the bank by itself, and can be left and come back to. */
export function Withdrawal() {
  const { id = "" } = useParams();
  const { remote, load } = useRead({ ...ofWallet, key: `withdrawal:${id}`, read: () => getWithdrawal(id) });
  const open = remote.state === "ready" && isOpen(remote.value);
  // The live stream tells at once; where it is down, asking now and then does.
  useEffect(() => {
    if (!open) return;
    const asking = setInterval(() => document.visibilityState === "visible" && void load(), ASK_MS);
    return () => clearInterval(asking);
  }, [open, load]);
  return (
    <chakra.div maxWidth="column">
      <title>Withdrawal · Adashi</title>
      <BackLink to={paths.withdraw}>{t.history}</BackLink>
      <chakra.div mt="3">
        <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
          {(withdrawal) => <Detail withdrawal={withdrawal} />}
        </Loaded>
      </chakra.div>
    </chakra.div>
  );
}
