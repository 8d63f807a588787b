import { chakra, Stack } from "@chakra-ui/react";
import type { Group, GroupDetails } from "@/api/schema.gen";
import { MemberAvatar, mayApprove, groupTexts as t } from "@/features/groups/frame";
import { officeTexts } from "@/features/groups/members";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";

/** Owner, approvers and validator. */
export function Officials({ group, details }: { group: Group; details?: GroupDetails }) {
  const known = (group.members ?? []).filter((member) => member.role !== "MEMBER" && member.status === "ACTIVE");
  const officials = details?.officials ?? known;
  return (
    <Card
      title={t.officials}
      action={
        mayApprove(group) && (
          <LinkButton to={paths.groupSettings(group.id, "officials")} variant="link">
            {officeTexts.manage}
          </LinkButton>
        )
      }
    >
      <Stack gap="3">
        {officials.map((member) => (
          <MemberAvatar key={member.userId} member={member} detail={t.roles[member.role]} />
        ))}
        {!group.validatorId && (
          <chakra.p textStyle="body" color="fg.muted">
            {officeTexts.noValidator}
          </chakra.p>
        )}
      </Stack>
    </Card>
  );
}
