import { Box, SimpleGrid } from "@chakra-ui/react";
import { paths } from "@/app/paths";
import { savingsTexts as t } from "@/lib/texts/savings";
import { useStore } from "@/store/store";
import { useRemote } from "@/store/useRemote";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { GroupCard } from "@/ui/GroupCard";
import { PlusIcon, SearchIcon } from "@/ui/icons";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { CardsSkeleton } from "@/ui/Skeletons";

export function Groups() {
  const load = useStore((state) => state.loadGroups);
  const groups = useRemote((state) => state.groups, load);
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
            <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
              {value.map((group) => (
                <GroupCard heading="h2" key={group.id} group={group} to={paths.group(group.id)} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Box>
  );
}
