import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Group, GroupDetails, Member } from "@/api/schema.gen";
import { groupTexts, isOwner, MemberAvatar, mayApprove } from "@/features/groups/frame";
import { Appoint, memberTexts, officeTexts as t, useMemberActs } from "@/features/groups/members";
import { neverRan } from "@/lib/groups";
import { fullName } from "@/lib/person";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const MOST_APPROVERS = 5;

/** An approver's way out of the office: the owner's word, or their own. */
function Remove({ group, member, self }: { group: Group; member: Member; self: boolean }) {
  const { removeApprover } = useMemberActs(group.id, member.userId);
  const [asked, setAsked] = useState(false);
  const name = fullName(member);
  const yes = self ? memberTexts.make.stepDown : memberTexts.make.notApprover;
  return (
    <>
      <Button variant="outline" aria-label={self ? yes : `${yes}: ${name}`} onClick={() => setAsked(true)}>
        {yes}
      </Button>
      <Confirm
        open={asked}
        title={self ? memberTexts.stepDownTitle : memberTexts.notApproverTitle(name)}
        yes={yes}
        no={memberTexts.keep}
        danger
        onClose={() => setAsked(false)}
        onYes={removeApprover}
      >
        {self ? memberTexts.stepDownText : memberTexts.notApproverText}
      </Confirm>
    </>
  );
}

/** An office in words, and that it does not count for money yet. */
function officeDetail({ userId, role }: Member, { mayDecide }: GroupDetails) {
  const office = groupTexts.roles[role];
  return mayDecide && !mayDecide.includes(userId) ? `${office} · ${t.notYet}` : office;
}

/** Who holds which office, and the changes this viewer may make. */
export function OfficialsSettings({ group, details }: { group: Group; details: GroupDetails }) {
  const own = useStore((state) => state.session?.id);
  const open = !neverRan(group);
  const approvers = details.officials.filter(({ role }) => role === "OWNER" || role === "APPROVER").length;
  const full = approvers >= MOST_APPROVERS;
  return (
    <SettingsSection id="officials" title={settingsTexts.officials.title}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {details.officials.map((member) => {
          const self = member.userId === own;
          return (
            <Flex key={member.userId} justify="space-between" align="center" gap="3" py="3" wrap="wrap">
              <MemberAvatar member={member} detail={officeDetail(member, details)} />
              {open && member.role === "APPROVER" && (self || isOwner(group)) && (
                <Remove group={group} member={member} self={self} />
              )}
            </Flex>
          );
        })}
      </Stack>
      {!group.validatorId && (
        <chakra.p textStyle="body" color="fg.muted" py="2">
          {t.noValidator}
        </chakra.p>
      )}
      {open && mayApprove(group) && (
        <Flex gap="3" wrap="wrap" mt="4">
          <Appoint
            group={group}
            office="validator"
            label={group.validatorId ? t.changeValidator : t.appointValidator}
          />
          {isOwner(group) && !full && <Appoint group={group} office="approver" label={t.appointApprover} />}
        </Flex>
      )}
      {full && isOwner(group) && (
        <chakra.p textStyle="small" color="fg.muted" mt="2">
          {t.full}
        </chakra.p>
      )}
    </SettingsSection>
  );
}
