import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useNavigate, useParams } from "react-router";
import { getSubAccount } from "@/api/dues";
import type { Group, MemberPayment, SubAccount } from "@/api/schema.gen";
import { DueExtras } from "@/features/groups/dues";
import { groupTexts, mayPay, useGroup } from "@/features/groups/frame";
import { RequestFund } from "@/features/groups/requests";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { useTransfers } from "@/store/payment/useTransfers";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Card, PageHead } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { FailedNote } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { DueRow } from "@/ui/money/DueRow";
import { Total } from "@/ui/money/GroupCard";
import { Naira, RollingNaira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { PageSkeleton } from "@/ui/Skeletons";
import { Cover } from "../parts/Cover";
import { Terms } from "../parts/Terms";
import { subAccountMoney as money, subAccountTexts as t } from "../texts";

const PAYMENTS = 8;
const COMING = 3;

function Payments({ sub }: { sub: SubAccount }) {
  if (sub.memberPayments.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.noPayments}
      </chakra.p>
    );
  }
  return (
    <>
      {sub.totalHidden && (
        <chakra.p textStyle="small" color="fg.muted" pb="3">
          {t.onlyYours}
        </chakra.p>
      )}
      <CollapsibleList items={sub.memberPayments} first={PAYMENTS}>
        {(payment: MemberPayment) => (
          <Flex key={`${payment.userId}${payment.date}`} justify="space-between" align="center" gap="3" py="3">
            <Person
              id={payment.userId}
              name={payment.name}
              detail={[payment.label, moment(payment.date)].filter(Boolean).join(" · ")}
            />
            <chakra.p fontWeight="600">
              <Naira amount={payment.amount} />
            </chakra.p>
          </Flex>
        )}
      </CollapsibleList>
    </>
  );
}

function Dues({ sub, pays }: { sub: SubAccount; pays: boolean }) {
  const transferOf = useTransfers(sub.dues);
  if (sub.dues.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.noDues}
      </chakra.p>
    );
  }
  return (
    <CollapsibleList items={sub.dues} first={sub.dues.filter((due) => due.status !== "SCHEDULED").length + COMING}>
      {(due) => (
        <Box key={due.period}>
          <DueRow
            due={due}
            titled="month"
            payLabel={groupTexts.pay}
            payTo={pays ? paths.subAccountPayment(due) : undefined}
            transfer={transferOf(due)}
          />
          <DueExtras due={due} />
        </Box>
      )}
    </CollapsibleList>
  );
}

function Balance({ sub }: { sub: SubAccount }) {
  return (
    <Card title={sub.balance === undefined ? t.total : money.balance}>
      <chakra.p textStyle="hero" data-sub-balance>
        <Total amount={sub.balance ?? sub.totalAmountContributed} hidden={sub.totalHidden} />
      </chakra.p>
      <chakra.div textStyle="body" color="fg.muted" mt="2">
        {sub.held !== undefined && sub.held > 0 && <p>{money.held(formatNaira(sub.held))}</p>}
        {sub.balance !== undefined && sub.totalAmountContributed !== undefined && (
          <p>
            {t.total}: {formatNaira(sub.totalAmountContributed)}
            {sub.numberOfPayments !== undefined && ` · ${t.payments(sub.numberOfPayments)}`}
          </p>
        )}
      </chakra.div>
    </Card>
  );
}

function Yours({ sub }: { sub: SubAccount }) {
  return (
    <Card title={t.yourTotal}>
      <chakra.p textStyle="hero">
        <RollingNaira amount={sub.myTotal} />
      </chakra.p>
      {sub.mySavings !== undefined && sub.mySavings !== sub.myTotal && (
        <chakra.p textStyle="body" color="fg.muted" mt="2">
          {money.savings(formatNaira(sub.mySavings))}
        </chakra.p>
      )}
    </Card>
  );
}

/** Actions of this page: ask for money, pay for a friend. */
function Deeds({ sub, group }: { sub: SubAccount; group: Group }) {
  const navigate = useNavigate();
  return (
    <>
      {mayPay(group) && !sub.totalHidden && <Cover sub={sub} />}
      <RequestFund
        group={group}
        subAccountId={sub.id}
        onSent={(request) => navigate(paths.liquidations(group.id, request))}
      />
    </>
  );
}

function Page({ sub, group }: { sub: SubAccount; group: Group | undefined }) {
  return (
    <Stack gap="0">
      <title>{`${sub.name} · Adashi`}</title>
      <BackLink to={paths.group(sub.groupSavingsId)}>{group?.name ?? money.group}</BackLink>
      <PageHead
        title={sub.name}
        detail={
          <>
            <Terms sub={sub} />
            {sub.description && ` · ${sub.description}`}
          </>
        }
        action={group && <Deeds sub={sub} group={group} />}
      />
      <Grid templateColumns={{ base: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" }} gap="4">
        <Yours sub={sub} />
        <Balance sub={sub} />
        <Card title={t.dues}>
          <Dues sub={sub} pays={group ? mayPay(group) : sub.groupStatus === "ACTIVE"} />
        </Card>
        <Stack gap="4">
          {sub.paymentType !== "FLEXIBLE" && (
            <Card title={money.lateTerms}>
              <chakra.p textStyle="body" data-late-terms>
                {sub.lateTerms ?? money.noLateTerms}
              </chakra.p>
            </Card>
          )}
          <Card title={t.latest}>
            <Payments sub={sub} />
          </Card>
        </Stack>
      </Grid>
    </Stack>
  );
}

function InGroup({ sub }: { sub: SubAccount }) {
  const { group } = useGroup(sub.groupSavingsId);
  return <Page sub={sub} group={group.state === "ready" ? group.value : undefined} />;
}

/** One sub-account: what is in it, what being late costs, and the caller's dues. */
export function SubAccountPage() {
  const { id = "" } = useParams();
  const own = useStore((state) => state.session?.id ?? "");
  const { remote, load } = useRead({
    key: `subAccount:${id}`,
    area: "savings",
    topics: (sub) => (sub ? [`group:${sub.groupSavingsId}`] : []),
    read: () => getSubAccount(id, own),
  });
  if (remote.state === "failed") return <FailedNote text={remote.text} onRetry={load} />;
  return remote.state === "ready" ? <InGroup sub={remote.value} /> : <PageSkeleton />;
}
