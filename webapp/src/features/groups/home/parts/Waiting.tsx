import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getMembers } from "@/api/groups";
import type { AgendaRow, Group, Member } from "@/api/schema.gen";
import { isOfficial, mayApprove } from "@/features/groups/frame";
import { WaitingRow } from "@/features/groups/members";
import { paths } from "@/lib/paths";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { Naira } from "@/ui/money/Naira";
import { overviewTexts, waitTexts as t } from "../texts";
import { useWaits } from "./waits";

/** So many rows leave room for the group's total on a phone. */
const FIRST = 2;
const PEOPLE = 5;

/** Those who asked to join, for the ones who may let them in. */
function usePending(group: Group): { people: Member[]; count: number } {
  const { remote } = useRead(
    mayApprove(group)
      ? {
          ...ofGroup(group.id),
          key: `pending:${group.id}`,
          read: () => getMembers(group.id, { status: "PENDING" }, undefined, PEOPLE),
        }
      : undefined,
  );
  if (!mayApprove(group)) return { people: [], count: 0 };
  const known = (group.members ?? []).filter(({ status }) => status === "PENDING");
  if (remote.state !== "ready") return { people: known.slice(0, PEOPLE), count: known.length };
  return { people: remote.value.members.slice(0, PEOPLE), count: remote.value.count };
}

function Row({ row: { kind, title, amount, button, link } }: { row: AgendaRow }) {
  return (
    <Flex data-kind={kind} gap="3" py="2.5" align="center" justify="space-between">
      <Box minWidth="0">
        <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
          {title}
        </chakra.p>
        {amount !== undefined && (
          <chakra.p textStyle="small" color="fg.muted">
            <Naira amount={amount} />
          </chakra.p>
        )}
      </Box>
      <LinkButton to={link} size="sm" aria-label={`${button} ${title}`}>
        {button}
      </LinkButton>
    </Flex>
  );
}

/** People and requests that wait for an official, above everything, each with its button. */
export function Waiting({ group }: { group: Group }) {
  const { people, count } = usePending(group);
  const waits = useWaits(group).filter(({ kind }) => kind !== "JOIN" || people.length === 0);
  const [all, setAll] = useState(false);
  if (!isOfficial(group) || people.length + waits.length === 0) return null;
  const rows = [
    ...people.map((member) => <WaitingRow key={member.userId} groupId={group.id} member={member} />),
    ...waits.map((row) => <Row key={row.id} row={row} />),
  ];
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <CardBox as="section" aria-labelledby="waits" minHeight="0">
      <Flex justify="space-between" align="center" gap="3">
        <chakra.h2 id="waits" textStyle="section">
          {t.title}
        </chakra.h2>
        {count > people.length && (
          <LinkButton to={paths.members(group.id, "PENDING")} variant="link">
            {overviewTexts.more(count)}
          </LinkButton>
        )}
      </Flex>
      <Stack gap="0" divideY="1px" divideColor="border">
        {shown}
      </Stack>
      {shown.length < rows.length && (
        <Button variant="outline" size="sm" onClick={() => setAll(true)}>
          {t.more(rows.length - shown.length)}
        </Button>
      )}
    </CardBox>
  );
}
