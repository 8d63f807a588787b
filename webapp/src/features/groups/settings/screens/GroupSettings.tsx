import { Box, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Group } from "@/api/schema.gen";
import { GroupFrame, isOwner, useDetails } from "@/features/groups/frame";
import { hasEnded, neverRan } from "@/lib/groups";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { End } from "../parts/End";
import { Leave } from "../parts/Leave";
import { OfficialsSettings } from "../parts/OfficialsSettings";
import { Ownership, Succession } from "../parts/Ownership";
import { PaymentNotice } from "../parts/PaymentNotice";
import { Outside, Visibility } from "../parts/Visibility";
import { settingsTexts as t } from "../texts";

function Settings({ group }: { group: Group }) {
  const { remote, load } = useDetails(group.id);
  const running = !hasEnded(group);
  const active = group.memberStatus === "ACTIVE";
  return (
    <Stack gap="4">
      {active && (
        <>
          <Visibility group={group} />
          {running && <Outside group={group} />}
          <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
            {(details) => (
              <>
                <OfficialsSettings group={group} details={details} />
                {running && <PaymentNotice group={group} details={details} />}
                {!neverRan(group) && <Succession group={group} details={details} />}
                {!neverRan(group) && <Ownership group={group} details={details} />}
              </>
            )}
          </Loaded>
        </>
      )}
      {running && <Leave group={group} />}
      {isOwner(group) && <End group={group} />}
    </Stack>
  );
}

/** Who sees what, who holds which office, and how one leaves. */
export function GroupSettings() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="column">
      <GroupFrame id={id} page={t.title}>
        {(group) => <Settings group={group} />}
      </GroupFrame>
    </Box>
  );
}
