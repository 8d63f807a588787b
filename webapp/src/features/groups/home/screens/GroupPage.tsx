import { chakra, Grid, Stack } from "@chakra-ui/react";
import { useParams, useSearchParams } from "react-router";
import type { Group } from "@/api/schema.gen";
import { GroupFrame, mayApprove, mayPay, groupTexts as t, useDetails, useSubAccounts } from "@/features/groups/frame";
import { NewSubAccount, SubAccountRow } from "@/features/groups/subAccounts";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { DueRow } from "@/ui/money/DueRow";
import { ListSkeleton } from "@/ui/Skeletons";
import { ActionBar } from "../parts/ActionBar";
import { Checked } from "../parts/Checked";
import { GroupMoney } from "../parts/GroupMoney";
import { Happening } from "../parts/Happening";
import { Hero } from "../parts/Hero";
import { Officials } from "../parts/Officials";
import { Setup } from "../parts/Setup";
import { Waiting } from "../parts/Waiting";
import { Ways } from "../parts/Ways";

/** So many sub-accounts are on the front page; the others are behind “See all”. */
const SUBS = 4;

/** A due that nobody can pay now, or that there is none. Where it can be paid, the bar says it. */
function NextDue({ group }: { group: Group }) {
  if (!group.nextDue) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.nothingDue}
      </chakra.p>
    );
  }
  return (
    <Card title={t.nextDue}>
      <DueRow due={group.nextDue} titled="subAccount" payLabel={t.pay} />
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
              {SubAccounts.slice(0, SUBS).map((sub) => (
                <SubAccountRow key={sub.id} sub={sub} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

function Overview({ group }: { group: Group }) {
  const active = group.memberStatus === "ACTIVE";
  const { remote } = useDetails(group.id);
  const details = remote.state === "ready" ? remote.value : undefined;
  return (
    <Stack gap="4">
      {details && <Happening group={group} details={details} />}
      <Waiting group={group} />
      {active && <Setup group={group} details={details} />}
      <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
        <Stack gap="4">
          <Hero group={group} />
          {active && !(group.nextDue && mayPay(group)) && <NextDue group={group} />}
          <Checked group={group} />
        </Stack>
        <Stack gap="4">
          {active && <SubAccountsCard group={group} />}
          <Officials group={group} details={details} />
        </Stack>
      </Grid>
      <ActionBar group={group} />
    </Stack>
  );
}

function More({ group }: { group: Group }) {
  return (
    <Stack gap="4">
      <Ways group={group} />
      {group.memberStatus === "ACTIVE" && <GroupMoney group={group} />}
    </Stack>
  );
}

/** A group's front page, and the rest of its matters behind the tab that the address says. */
export function GroupPage() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const more = query.get("tab") === "more";
  return (
    <GroupFrame id={id} tab={more ? "more" : "overview"}>
      {(group) => (more ? <More group={group} /> : <Overview group={group} />)}
    </GroupFrame>
  );
}
