import { chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useCallback, useEffect, useState } from "react";
import { useParams } from "react-router";
import { failureText } from "@/api/failure";
import type { MemberPayment, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { moment } from "@/lib/dates";
import { groupTexts, subAccountTexts as t } from "@/lib/texts/savings";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { DueRow } from "@/ui/DueRow";
import { FailedNote } from "@/ui/Empty";
import { Few } from "@/ui/Few";
import { Total } from "@/ui/GroupCard";
import { Loaded } from "@/ui/Loaded";
import { Naira, RollingNaira } from "@/ui/Naira";
import { Person } from "@/ui/Person";
import { PageSkeleton } from "@/ui/Skeletons";
import { Terms } from "../parts/Terms";
import { useSubAccounts } from "../parts/useGroup";

const PAYMENTS = 8;
const COMING = 3;

/** The address names the sub-account alone: its group is found among the caller's. */
function useGroupOf(subAccountId: string) {
  const findGroupOf = useStore((state) => state.findGroupOf);
  const [found, setFound] = useState<{ groupId: string } | { fault: string }>();
  const find = useCallback(async () => {
    setFound(undefined);
    try {
      setFound({ groupId: await findGroupOf(subAccountId) });
    } catch (error) {
      setFound({ fault: failureText(error) });
    }
  }, [findGroupOf, subAccountId]);
  useEffect(() => void find(), [find]);
  return { found, find };
}

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
      <Few items={sub.memberPayments} first={PAYMENTS}>
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
      </Few>
    </>
  );
}

function Dues({ sub }: { sub: SubAccount }) {
  if (sub.dues.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.noDues}
      </chakra.p>
    );
  }
  return (
    <Few items={sub.dues} first={sub.dues.filter((due) => due.status !== "SCHEDULED").length + COMING}>
      {(due) => (
        <DueRow
          key={due.period}
          due={due}
          titled="month"
          payLabel={groupTexts.pay}
          payTo={paths.subAccountPayment(due)}
        />
      )}
    </Few>
  );
}

function Page({ sub, groupName }: { sub: SubAccount; groupName: string }) {
  return (
    <Stack gap="0">
      <title>{`${sub.name} · Adashi`}</title>
      <LinkButton to={paths.group(sub.groupSavingsId)} variant="link" style={{ alignSelf: "flex-start" }}>
        ← {groupName}
      </LinkButton>
      <PageHead
        title={sub.name}
        detail={
          <>
            <Terms sub={sub} />
            {sub.description && ` · ${sub.description}`}
          </>
        }
      />
      <Grid templateColumns={{ base: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" }} gap="4">
        <Card title={t.yourTotal}>
          <chakra.p textStyle="hero">
            <RollingNaira amount={sub.myTotal} />
          </chakra.p>
        </Card>
        <Card title={t.total}>
          <chakra.p textStyle="hero">
            <Total amount={sub.totalAmountContributed} hidden={sub.totalHidden === true} />
          </chakra.p>
          {sub.numberOfPayments !== undefined && (
            <chakra.p textStyle="body" color="fg.muted" mt="2">
              {t.payments(sub.numberOfPayments)}
            </chakra.p>
          )}
        </Card>
        <Card title={t.dues}>
          <Dues sub={sub} />
        </Card>
        <Card title={t.latest}>
          <Payments sub={sub} />
        </Card>
      </Grid>
    </Stack>
  );
}

function InGroup({ id, groupId }: { id: string; groupId: string }) {
  const { list, load } = useSubAccounts(groupId);
  return (
    <Loaded remote={list} skeleton={<PageSkeleton />} onRetry={load}>
      {({ SubAccounts, groupName }) => {
        const sub = SubAccounts.find((one) => one.id === id);
        return sub && <Page sub={sub} groupName={groupName} />;
      }}
    </Loaded>
  );
}

export function SubAccountPage() {
  const { id = "" } = useParams();
  const { found, find } = useGroupOf(id);
  if (!found) return <PageSkeleton />;
  if ("fault" in found) return <FailedNote text={found.fault} onRetry={find} />;
  return <InGroup id={id} groupId={found.groupId} />;
}
