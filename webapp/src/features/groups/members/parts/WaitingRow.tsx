import { Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { Member } from "@/api/schema.gen";
import { MemberAvatar } from "@/features/groups/frame";
import { fullName } from "@/lib/person";
import { Button } from "@/ui/Button";
import { Reason } from "@/ui/form/Reason";
import { memberTexts as t } from "../texts";
import { useMemberActs } from "./useMemberActs";

interface WaitingRowProps {
  groupId: string;
  member: Member;
  detail?: string;
}

/** Somebody who asked to join, for the ones who may let them in. */
export function WaitingRow({ groupId, member, detail }: WaitingRowProps) {
  const { busy, approve, reject } = useMemberActs(groupId, member.userId);
  const [asked, setAsked] = useState(false);
  const name = fullName(member);
  return (
    <Flex justify="space-between" align="center" gap="3" py="2.5" wrap={detail ? "wrap" : "nowrap"}>
      <MemberAvatar member={member} detail={detail} />
      <Flex gap="2" ms="auto">
        <Button
          size="sm"
          variant="outline"
          aria-label={`${t.acts.REJECT} ${name}`}
          disabled={busy !== undefined}
          onClick={() => setAsked(true)}
        >
          {t.acts.REJECT}
        </Button>
        <Button
          size="sm"
          loading={busy === "approve"}
          disabled={busy !== undefined}
          aria-label={`${t.acts.APPROVE} ${name}`}
          onClick={approve}
        >
          {t.acts.APPROVE}
        </Button>
      </Flex>
      {asked && (
        <Reason
          title={t.sure.REJECT.title}
          label={t.reason}
          fault={t.reasonFault}
          yes={`${t.acts.REJECT} ${name}`}
          no={t.keep}
          variant="danger"
          onClose={() => setAsked(false)}
          onYes={reject}
        >
          {t.sure.REJECT.text}
        </Reason>
      )}
    </Flex>
  );
}
