import { Stack } from "@chakra-ui/react";
import { getMembers } from "@/api/groups";
import type { Group } from "@/api/schema.gen";
import { groupTexts as t } from "@/features/groups/frame";
import { WaitingRow } from "@/features/groups/members";
import { paths } from "@/lib/paths";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { overviewTexts } from "../texts";

const SHOWN = 5;

/** Those who asked to join, for the ones who may let them in. */
export function Pending({ group }: { group: Group }) {
  const { remote } = useRead({
    ...ofGroup(group.id),
    key: `pending:${group.id}`,
    read: () => getMembers(group.id, { status: "PENDING" }, undefined, SHOWN),
  });
  const known = (group.members ?? []).filter((member) => member.status === "PENDING");
  const pending = remote.state === "ready" ? remote.value.members : known;
  const count = remote.state === "ready" ? remote.value.count : known.length;
  if (pending.length === 0) return null;
  return (
    <Card
      title={t.pending}
      action={
        count > SHOWN && (
          <LinkButton to={paths.members(group.id, "PENDING")} variant="link">
            {overviewTexts.more(count)}
          </LinkButton>
        )
      }
    >
      <Stack gap="0" divideY="1px" divideColor="border">
        {pending.slice(0, SHOWN).map((member) => (
          <WaitingRow key={member.userId} groupId={group.id} member={member} />
        ))}
      </Stack>
    </Card>
  );
}
