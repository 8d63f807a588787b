import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { cancelGroup, closeGroup } from "@/api/groups";
import type { Group } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { memberTexts } from "@/features/groups/members";
import { Button } from "@/ui/Button";
import { Reason } from "@/ui/form/Reason";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const t = settingsTexts.end;

/** The owner ends a group, by the group's status. */
function endOf(status: Group["status"]) {
  switch (status) {
    case "PENDING_APPROVAL":
      return { title: t.cancelTitle, lead: t.cancelLead, go: t.cancel, sure: t.cancelSure, send: cancelGroup };
    case "ACTIVE":
      return { title: t.closeTitle, lead: t.closeLead, go: t.close, sure: t.closeSure, send: closeGroup };
    case "CLOSING":
      return { title: t.closeTitle, lead: t.finishLead, go: t.finish, sure: t.closeSure, send: closeGroup };
    default:
      return undefined;
  }
}

/** The owner's alone: cancelling a group that never ran, closing one that did. */
export function End({ group }: { group: Group }) {
  const { act } = useAct(group.id);
  const [asked, setAsked] = useState(false);
  const end = endOf(group.status);
  if (!end) return null;
  const { title, lead, go, sure, send } = end;
  return (
    <SettingsSection id="end" title={title}>
      <Stack gap="4" align="flex-start">
        <chakra.p textStyle="body" color="fg.muted">
          {lead}
        </chakra.p>
        <Button variant="danger" onClick={() => setAsked(true)}>
          {go}
        </Button>
      </Stack>
      {asked && (
        <Reason
          title={sure}
          label={t.reason}
          fault={memberTexts.reasonFault}
          yes={go}
          no={t.keep}
          variant="danger"
          onClose={() => setAsked(false)}
          onYes={async (reason) =>
            (await act(`end:${group.id}:${group.status}:${reason}`, (key) => send(key, group.id, reason))) !== undefined
          }
        >
          {lead}
        </Reason>
      )}
    </SettingsSection>
  );
}
