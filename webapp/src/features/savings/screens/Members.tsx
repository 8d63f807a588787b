import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Group, Member } from "@/api/types";
import { shortDay } from "@/lib/dates";
import { fullName } from "@/lib/person";
import { groupTexts as t } from "@/lib/texts/savings";
import { usePicture } from "@/store/usePicture";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Naira } from "@/ui/Naira";
import { Person } from "@/ui/Person";
import { GroupFrame } from "../parts/GroupFrame";
import { Invite } from "../parts/Invite";
import { Officials } from "../parts/Officials";
import { Pending } from "../parts/Pending";
import { mayApprove } from "../parts/useGroup";

function Row({ member }: { member: Member }) {
  const picture = usePicture(member.avatar);
  const detail = [t.roles[member.role], member.dateJoined && t.joined(shortDay(member.dateJoined))]
    .filter(Boolean)
    .join(" · ");
  return (
    <Flex justify="space-between" align="center" gap="3" py="3">
      <Person
        id={member.userId}
        name={fullName(member)}
        detail={detail}
        ticked={member.paidThisMonth}
        picture={picture}
      />
      <Flex direction="column" align="flex-end" gap="1">
        {member.totalSavings !== undefined && (
          <chakra.p fontWeight="600">
            <Naira amount={member.totalSavings} />
          </chakra.p>
        )}
        {member.paidThisMonth ? <Badge tone="success">{t.paidTick}</Badge> : <Badge>{t.notPaid}</Badge>}
      </Flex>
    </Flex>
  );
}

function List({ group }: { group: Group }) {
  const active = (group.members ?? []).filter((member) => member.status === "ACTIVE");
  return (
    <Stack gap="4">
      {mayApprove(group) && <Pending group={group} />}
      <Card title={t.members}>
        <Stack gap="0" divideY="1px" divideColor="border">
          {active.map((member) => (
            <Row key={member.userId} member={member} />
          ))}
        </Stack>
      </Card>
      <Officials group={group} />
    </Stack>
  );
}

export function Members() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="48rem">
      <GroupFrame
        id={id}
        page={t.members}
        action={(group) => group.invitationLink && <Invite name={group.name} link={group.invitationLink} />}
      >
        {(group) => <List group={group} />}
      </GroupFrame>
    </Box>
  );
}
