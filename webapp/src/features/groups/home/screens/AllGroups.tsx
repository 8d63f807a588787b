import { Box, chakra, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { Link } from "react-router";
import type { Group } from "@/api/schema.gen";
import { groupTexts } from "@/features/groups/frame";
import { emblemsOf, type Look } from "@/lib/emblems";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { groupsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge, VisuallyHidden } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Emblem } from "@/ui/Emblem";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { PlusIcon } from "@/ui/icons";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { LongList } from "@/ui/LongList";
import { groupTones } from "@/ui/money/GroupCard";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { allGroupsTexts as t } from "../texts";

const ROW_PX = 84;

function Row({ group, look }: { group: Group; look?: Look }) {
  const { memberStatus, status } = group;
  return (
    <chakra.a
      asChild
      display="flex"
      flexWrap="wrap"
      justifyContent="space-between"
      alignItems="center"
      columnGap="3"
      rowGap="1"
      minHeight="16"
      py="3"
      px="2"
      mx="-2"
      borderRadius="md"
      _hover={{ bg: "bg.muted" }}
    >
      <Link to={paths.group(group.id)}>
        <Emblem id={group.id} name={group.name} size="2.5rem" look={look} />
        <Box flex="1 1 10rem" minWidth="0">
          <chakra.p fontWeight="600" overflowWrap="anywhere">
            {group.name}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {memberStatus === "ACTIVE" ? groupTexts.roles[group.role] : savingsTexts.standing[memberStatus]} ·{" "}
            {savingsTexts.members(group.memberCount)}
          </chakra.p>
        </Box>
        <Flex align="center" gap="3" wrap="wrap">
          <Badge tone={groupTones[status]}>{savingsTexts.status[status]}</Badge>
          <chakra.span fontWeight="600">
            <VisuallyHidden>{savingsTexts.yours}: </VisuallyHidden>
            <Naira amount={group.userTotalSavings} />
          </chakra.span>
        </Flex>
      </Link>
    </chakra.a>
  );
}

function Found({ groups }: { groups: Group[] }) {
  const [words, setWords] = useState("");
  const [status, setStatus] = useState("");
  const sought = words.trim().toLowerCase();
  const found = groups.filter(
    (group) => (!status || group.status === status) && group.name.toLowerCase().includes(sought),
  );
  const all = emblemsOf(found.map(({ id }) => id));
  const looks = new Map(found.map(({ id }, at) => [id, all[at]]));
  return (
    <Stack gap="4">
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField
          label={t.search}
          type="search"
          autoComplete="off"
          maxLength={100}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <SelectField label={t.status} value={status} onChange={(event) => setStatus(event.target.value)}>
          <option value="">{t.every}</option>
          {Object.entries(savingsTexts.status).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      </SimpleGrid>
      <chakra.p role="status" textStyle="small" color="fg.muted">
        {found.length === 0 ? t.none : t.count(found.length)}
      </chakra.p>
      <LongList label={t.title} items={found} idOf={({ id }) => id} rowPx={ROW_PX}>
        {(group) => <Row group={group} look={looks.get(group.id)} />}
      </LongList>
    </Stack>
  );
}

/** Every group one has to do with, those that ended too. */
export function AllGroups() {
  const { remote: groups, load } = useRead(groupsSource);
  return (
    <Box maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.savings}>{savingsTexts.title}</BackLink>
      <PageHead title={t.title} detail={t.lead} />
      <Card>
        <Loaded remote={groups} skeleton={<ListSkeleton />} onRetry={load}>
          {(value) =>
            value.length === 0 ? (
              <Empty
                picture={<OpenSeat />}
                title={savingsTexts.emptyTitle}
                action={
                  <LinkButton to={paths.createGroup} icon={<PlusIcon />}>
                    {savingsTexts.create}
                  </LinkButton>
                }
              >
                {savingsTexts.empty}
              </Empty>
            ) : (
              <Found groups={value} />
            )
          }
        </Loaded>
      </Card>
    </Box>
  );
}
