import { chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Group } from "@/api/schema.gen";
import { GroupFrame, mayApprove, mayPay, groupTexts as t, useDetails, useSubAccounts } from "@/features/groups/frame";
import { NewSubAccount, SubAccountRow } from "@/features/groups/subAccounts";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { useTransfers } from "@/store/payment/useTransfers";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { GearIcon, ShareIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { DueRow } from "@/ui/money/DueRow";
import { Total } from "@/ui/money/GroupCard";
import { RollingNaira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { Checklist } from "../parts/Checklist";
import { GroupMoney } from "../parts/GroupMoney";
import { Happening } from "../parts/Happening";
import { Officials } from "../parts/Officials";
import { PaidThisMonth } from "../parts/PaidThisMonth";
import { Pending } from "../parts/Pending";
import { Seal } from "../parts/Seal";
import { Ways } from "../parts/Ways";
import { pageTexts } from "../texts";

function TotalCard({ group }: { group: Group }) {
  return (
    <Card title={t.total}>
      <chakra.p textStyle="hero" data-group-total>
        <Total amount={group.activeBalance} hidden={group.totalHidden} />
      </chakra.p>
      <Flex mt="4" gap="4" wrap="wrap" align="center" textStyle="body" color="fg.muted">
        <span>
          {savingsTexts.yours}:{" "}
          <chakra.span fontWeight="600" color="fg">
            <RollingNaira amount={group.userTotalSavings} />
          </chakra.span>
        </span>
        {group.growthPercent !== undefined && (
          <Badge tone={group.growthPercent >= 0 ? "success" : "neutral"}>
            {savingsTexts.growth(group.growthPercent)}
          </Badge>
        )}
      </Flex>
      <Stack gap="1" mt="4" pt="3" borderTopWidth="1px" borderColor="border">
        <Audit group={group} />
        <Seal groupId={group.id} />
      </Stack>
    </Card>
  );
}

/** How far the validator is; the desk is theirs, and the owner's for the validator's own payments. */
function Audit({ group }: { group: Group }) {
  const { audit, role } = group;
  if (!audit) return null;
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <chakra.p textStyle="body" data-audit>
        {audit.total > 0 ? pageTexts.audited(audit.reviewed, audit.total) : pageTexts.nothingToAudit}
      </chakra.p>
      {(role === "VALIDATOR" || role === "OWNER") && (
        <LinkButton to={paths.audit(group.id)} variant="link">
          {pageTexts.toDesk}
        </LinkButton>
      )}
    </Flex>
  );
}

function NextDue({ group }: { group: Group }) {
  const due = group.nextDue;
  const transferOf = useTransfers(due ? [due] : []);
  return (
    <Card title={t.nextDue}>
      {due ? (
        <DueRow
          due={due}
          titled="subAccount"
          payLabel={t.pay}
          payTo={mayPay(group) ? paths.subAccountPayment(due) : undefined}
          transfer={transferOf(due)}
        />
      ) : (
        <chakra.p textStyle="body" color="fg.muted">
          {t.nothingDue}
        </chakra.p>
      )}
    </Card>
  );
}

function SubAccountsCard({ group }: { group: Group }) {
  const { list, load } = useSubAccounts(group.id);
  return (
    <Card
      title={t.subAccounts}
      action={
        <LinkButton to={paths.subAccounts(group.id)} variant="link" aria-label={`${t.all}: ${t.subAccounts}`}>
          {t.all}
        </LinkButton>
      }
    >
      <Loaded remote={list} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {({ SubAccounts }) =>
          SubAccounts.length === 0 ? (
            <Stack gap="3" align="flex-start">
              <chakra.p textStyle="body" color="fg.muted">
                {t.noSubAccountsText}
              </chakra.p>
              {mayApprove(group) && <NewSubAccount groupId={group.id} />}
            </Stack>
          ) : (
            <Stack gap="0">
              {SubAccounts.map((sub) => (
                <SubAccountRow key={sub.id} sub={sub} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

function Front({ group }: { group: Group }) {
  const active = group.memberStatus === "ACTIVE";
  const { remote } = useDetails(group.id);
  const details = remote.state === "ready" ? remote.value : undefined;
  return (
    <Stack gap="4">
      {details && <Happening group={group} details={details} />}
      <Checklist group={group} details={details} />
      {mayApprove(group) && <Pending group={group} />}
      <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
        <Stack gap="4">
          <TotalCard group={group} />
          {active && (
            <Card
              title={t.thisMonth}
              action={
                <LinkButton to={paths.members(group.id)} variant="link">
                  {savingsTexts.members(group.memberCount)}
                </LinkButton>
              }
            >
              <PaidThisMonth group={group} />
            </Card>
          )}
        </Stack>
        <Stack gap="4">
          {active && <NextDue group={group} />}
          {active && <SubAccountsCard group={group} />}
          <Officials group={group} details={details} />
        </Stack>
      </Grid>
      <Ways group={group} />
      {active && <GroupMoney group={group} />}
    </Stack>
  );
}

function Actions({ group }: { group: Group }) {
  return (
    <>
      {group.invitationLink && !hasEnded(group) && (
        <LinkButton to={paths.invite(group.id)} variant="outline" icon={<ShareIcon />}>
          {t.invite}
        </LinkButton>
      )}
      <LinkButton to={paths.groupSettings(group.id)} variant="outline" icon={<GearIcon />}>
        {pageTexts.settings}
      </LinkButton>
    </>
  );
}

export function GroupPage() {
  const { id = "" } = useParams();
  return (
    <GroupFrame id={id} action={(group) => <Actions group={group} />}>
      {(group) => <Front group={group} />}
    </GroupFrame>
  );
}
