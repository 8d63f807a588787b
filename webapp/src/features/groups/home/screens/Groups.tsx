import { Box, chakra, SimpleGrid, Stack } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import { getPending } from "@/api/groups";
import type { Group, PendingGroupSavings } from "@/api/schema.gen";
import { InvitedCard } from "@/features/groups/frame";
import { WaitingRow } from "@/features/groups/members";
import { emblemsOf } from "@/lib/emblems";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts as t } from "@/lib/texts/savings";
import { groupsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { PlusIcon, SearchIcon } from "@/ui/icons";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { GroupCard } from "@/ui/money/GroupCard";
import { CardsSkeleton } from "@/ui/Skeletons";
import { overviewTexts } from "../texts";

const WAITING = 6;

/** Who and what waits in the caller's groups: read again whenever their groups are. */
function usePending(groups: Group[]) {
  const id = useStore((state) => state.session?.id ?? "");
  const { remote, load } = useRead({ key: `pending:${id}`, area: "savings", read: () => getPending(id) });
  const seen = useRef(groups);
  useEffect(() => {
    if (seen.current === groups) return;
    seen.current = groups;
    void load();
  }, [groups, load]);
  return remote.state === "ready" ? remote.value : undefined;
}

function Invitations({ groups, pending }: { groups: Group[]; pending?: PendingGroupSavings }) {
  const own = useStore((state) => state.session?.id);
  const invited = groups.filter(({ memberStatus }) => memberStatus === "INVITED");
  if (invited.length === 0) return null;
  const expiryOf = (groupId: string) =>
    pending?.invited.find((one) => one.groupId === groupId && one.member.userId === own)?.expires;
  return (
    <Box as="section" aria-labelledby="invitations">
      <chakra.h2 id="invitations" textStyle="section" mb="3">
        {overviewTexts.invitations}
      </chakra.h2>
      <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
        {invited.map(({ id, name, description }) => (
          <InvitedCard key={id} groupId={id} name={name} detail={description} expires={expiryOf(id)} />
        ))}
      </SimpleGrid>
    </Box>
  );
}

function Waiting({ pending }: { pending?: PendingGroupSavings }) {
  if (!pending || pending.members.length === 0) return null;
  return (
    <Card title={overviewTexts.waiting}>
      <chakra.p textStyle="body" color="fg.muted" mb="2">
        {overviewTexts.waitingLead}
      </chakra.p>
      <Stack gap="0" divideY="1px" divideColor="border">
        {pending.members.slice(0, WAITING).map(({ groupId, groupName, member }) => (
          <WaitingRow
            key={groupId + member.userId}
            groupId={groupId}
            member={member}
            detail={overviewTexts.asksFor(groupName)}
          />
        ))}
      </Stack>
    </Card>
  );
}

function Overview({ groups }: { groups: Group[] }) {
  const pending = usePending(groups);
  const mine = groups.filter((group) => group.memberStatus !== "INVITED" && !hasEnded(group));
  const looks = emblemsOf(mine.map(({ id }) => id));
  return (
    <Stack gap="6">
      <Invitations groups={groups} pending={pending} />
      <Waiting pending={pending} />
      <Box as="section" aria-labelledby="groups">
        <chakra.div display="flex" justifyContent="space-between" alignItems="center" mb="3">
          <chakra.h2 id="groups" textStyle="section">
            {overviewTexts.groups}
          </chakra.h2>
          <LinkButton to={paths.allGroups} variant="link">
            {overviewTexts.all}
          </LinkButton>
        </chakra.div>
        {mine.length === 0 && (
          <chakra.p textStyle="body" color="fg.muted">
            {overviewTexts.nothingRuns}
          </chakra.p>
        )}
        <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
          {mine.map((group, at) => (
            <GroupCard key={group.id} group={group} to={paths.group(group.id)} look={looks[at]} />
          ))}
        </SimpleGrid>
      </Box>
    </Stack>
  );
}

export function Groups() {
  const { remote: groups, load } = useRead(groupsSource);
  const openSearch = useStore((state) => state.openSearch);
  const create = (
    <LinkButton to={paths.createGroup} icon={<PlusIcon />}>
      {t.create}
    </LinkButton>
  );
  return (
    <Box>
      <title>Group Savings · Adashi</title>
      <PageHead
        title={t.title}
        detail={t.lead}
        action={
          <>
            {create}
            <Button variant="outline" icon={<SearchIcon />} onClick={() => openSearch(true)}>
              {t.search}
            </Button>
          </>
        }
      />
      <Loaded remote={groups} skeleton={<CardsSkeleton />} onRetry={load}>
        {(value) =>
          value.length === 0 ? (
            <Card>
              <Empty picture={<OpenSeat />} title={t.emptyTitle} action={create}>
                {t.empty}
              </Empty>
            </Card>
          ) : (
            <Overview groups={value} />
          )
        }
      </Loaded>
    </Box>
  );
}
