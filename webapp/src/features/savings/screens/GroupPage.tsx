import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Group } from "@/api/types";
import { paths } from "@/app/paths";
import { savingsTexts, groupTexts as t } from "@/lib/texts/savings";
import { LinkButton } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { DueRow } from "@/ui/DueRow";
import { Total } from "@/ui/GroupCard";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { Faces } from "../parts/Faces";
import { GroupFrame } from "../parts/GroupFrame";
import { Invite } from "../parts/Invite";
import { NewSubAccount } from "../parts/NewSubAccount";
import { Officials } from "../parts/Officials";
import { Pending } from "../parts/Pending";
import { SubAccountRow } from "../parts/SubAccountRow";
import { mayApprove, useSubAccounts } from "../parts/useGroup";

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
          <Badge tone={group.growthPercent >= 0 ? "success" : "warning"}>
            {savingsTexts.growth(group.growthPercent)}
          </Badge>
        )}
      </Flex>
    </Card>
  );
}

function Missing({ group }: { group: Group }) {
  if (group.missing.length === 0) return null;
  return (
    <Note tone="warning" title={t.missing}>
      <chakra.ul ps="5" my="1">
        {group.missing.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </chakra.ul>
      <chakra.p color="fg.muted">{t.missingLead}</chakra.p>
    </Note>
  );
}

function NextDue({ group }: { group: Group }) {
  const due = group.nextDue;
  return (
    <Card title={t.nextDue}>
      {due ? (
        <DueRow due={due} titled="subAccount" payLabel={t.pay} payTo={paths.subAccountPayment(due)} />
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
  return (
    <Stack gap="4">
      <Missing group={group} />
      {mayApprove(group) && <Pending group={group} />}
      <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
        <Stack gap="4">
          <TotalCard group={group} />
          <Card
            title={t.thisMonth}
            action={
              <LinkButton to={paths.members(group.id)} variant="link">
                {savingsTexts.members(group.memberCount)}
              </LinkButton>
            }
          >
            <Faces group={group} />
          </Card>
        </Stack>
        <Stack gap="4">
          <NextDue group={group} />
          <SubAccountsCard group={group} />
          <Officials group={group} />
        </Stack>
      </Grid>
    </Stack>
  );
}

export function GroupPage() {
  const { id = "" } = useParams();
  return (
    <Box>
      <GroupFrame
        id={id}
        action={(group) => group.invitationLink && <Invite name={group.name} link={group.invitationLink} />}
      >
        {(group) => <Front group={group} />}
      </GroupFrame>
    </Box>
  );
}
