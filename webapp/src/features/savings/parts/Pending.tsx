import { Flex, Stack } from "@chakra-ui/react";
import type { Group, Member } from "@/api/types";
import { fullName } from "@/lib/person";
import { errorTexts } from "@/lib/texts/errors";
import { groupTexts as t } from "@/lib/texts/savings";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Person } from "@/ui/Person";

function One({ groupId, member }: { groupId: string; member: Member }) {
  const approveMember = useStore((state) => state.approveMember);
  const name = fullName(member);
  const { state, run } = useIntent({
    name: `approve:${groupId}:${member.userId}`,
    send: (key: string, memberId: string) => approveMember(key, groupId, memberId),
  });
  const approve = async () => {
    try {
      const message = await run(member.userId);
      if (message !== undefined) succeed(message);
    } catch (error) {
      report(error, errorTexts.notAnswered.approve);
    }
  };
  return (
    <Flex justify="space-between" align="center" gap="3" py="2.5">
      <Person id={member.userId} name={name} />
      <Button size="sm" loading={state === "sending"} aria-label={`${t.approve} ${name}`} onClick={approve}>
        {t.approve}
      </Button>
    </Flex>
  );
}

/** Those who asked to join, for the ones who may let them in. */
export function Pending({ group }: { group: Group }) {
  const pending = (group.members ?? []).filter((member) => member.status === "PENDING");
  if (pending.length === 0) return null;
  return (
    <Card title={t.pending}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {pending.map((member) => (
          <One key={member.userId} groupId={group.id} member={member} />
        ))}
      </Stack>
    </Card>
  );
}
