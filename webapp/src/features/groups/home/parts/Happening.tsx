import { Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Group, GroupDetails } from "@/api/schema.gen";
import { isOwner, mayApprove } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { pageTexts as t } from "../texts";

function Told({ title, children, to, go }: { title: string; children: ReactNode; to: string; go: string }) {
  return (
    <Note title={title} live>
      <Stack gap="2" align="flex-start">
        <span>{children}</span>
        <LinkButton to={to} variant="outline" size="sm">
          {go}
        </LinkButton>
      </Stack>
    </Note>
  );
}

/** Who the group is about to belong to, told to those who have a say in it. */
function Ownership({ group, details }: { group: Group; details: GroupDetails }) {
  const own = useStore((state) => state.session?.id);
  const to = paths.groupSettings(group.id, "ownership");
  const { succession, ownerAwaySince, ownershipOfferedTo } = details;
  if (ownershipOfferedTo && ownershipOfferedTo === own) {
    return (
      <Told title={t.offeredTitle} to={to} go={t.offeredGo}>
        {t.offered}
      </Told>
    );
  }
  if (succession) {
    const { candidateName, votes, needed } = succession;
    return (
      <Told title={t.successionTitle} to={to} go={t.successionGo}>
        {t.succession(candidateName, votes, needed)}
      </Told>
    );
  }
  if (ownerAwaySince && mayApprove(group) && !isOwner(group)) {
    return (
      <Told title={t.awayTitle} to={to} go={t.awayGo}>
        {t.away(shortDay(ownerAwaySince))}
      </Told>
    );
  }
  return null;
}

/** Events in the group beside its money. */
export function Happening({ group, details }: { group: Group; details: GroupDetails }) {
  return (
    <>
      {details.statusReason && <Note tone="warning">{t.reason(details.statusReason)}</Note>}
      <Ownership group={group} details={details} />
    </>
  );
}
