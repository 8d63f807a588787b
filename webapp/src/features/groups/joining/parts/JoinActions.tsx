import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { answerInvitation } from "@/api/groups";
import type { Invitation } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { sendCommand } from "@/store/command";
import { report, succeed } from "@/store/report";
import { told } from "@/store/reportMoney";
import { groupsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { useKeptInvitation } from "@/store/useKeptInvitation";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { AtTheDoor, NotForMe } from "@/ui/inviting/Door";
import { joinTexts as t } from "../texts";

function Waiting() {
  return (
    <Note title={t.waitTitle} live>
      {t.wait}
    </Note>
  );
}

/** Somebody of the group has asked for this very person: they answer. */
function Answer({ invitation, onDeclined }: { invitation: Invitation; onDeclined: () => void }) {
  const load = useStore((state) => state.load);
  const [answering, setAnswering] = useState<boolean>();
  const answer = async (accept: boolean) => {
    setAnswering(accept);
    const { groupId } = invitation;
    const command = { name: `invitation:${groupId}`, payload: accept, free: true };
    if (await told(sendCommand(command, (key) => answerInvitation(key, groupId, accept)))) {
      await load(groupsSource);
      if (!accept) onDeclined();
    }
    setAnswering(undefined);
  };
  return (
    <Stack gap="3">
      <Note title={t.invitedTitle} live>
        {t.invited}
      </Note>
      <Button
        size="lg"
        fullWidth
        loading={answering === true}
        disabled={answering !== undefined}
        onClick={() => answer(true)}
      >
        {t.accept}
      </Button>
      <Button
        size="lg"
        variant="outline"
        fullWidth
        loading={answering === false}
        disabled={answering !== undefined}
        onClick={() => answer(false)}
      >
        {t.decline}
      </Button>
    </Stack>
  );
}

/** In already: whether they may act there or not. */
function In({ invitation, inactive }: { invitation: Invitation; inactive: boolean }) {
  return (
    <Stack gap="4">
      <Note tone={inactive ? "warning" : "success"} title={inactive ? t.inactiveTitle : t.inTitle} live>
        {inactive ? t.inactive : invitation.name}
      </Note>
      <LinkButton to={paths.group(invitation.groupId)} size="lg" fullWidth>
        {t.open}
      </LinkButton>
    </Stack>
  );
}

function Ask({ invitation, code, onAsked }: { invitation: Invitation; code: string; onAsked: () => void }) {
  const joinGroup = useStore((state) => state.joinGroup);
  const { state, run } = useCommand({
    name: `join:${invitation.groupId}`,
    send: (key: string, groupId: string) => joinGroup(key, groupId, code),
  });
  const join = async () => {
    try {
      const said = await run(invitation.groupId);
      if (said === undefined) return;
      onAsked();
      succeed(said);
    } catch (error) {
      report(error, errorTexts.notAnswered.join);
    }
  };
  return (
    <Button size="lg" fullWidth loading={state === "sending"} onClick={join}>
      {t.join}
    </Button>
  );
}

interface JoinActionsProps {
  invitation: Invitation;
  code: string;
  standing: "outside" | Invitation["memberStatus"];
}

/** The actions that the invitation's holder has now. */
export function JoinActions({ invitation, code, standing }: JoinActionsProps) {
  const authenticated = useStore((state) => state.authenticated);
  const [asked, setAsked] = useState(false);
  const [declined, setDeclined] = useState(false);
  const aside = useKeptInvitation(authenticated && standing === "outside" && !asked);
  if (!authenticated) return <AtTheDoor />;
  if (standing === "ACTIVE" || standing === "INACTIVE") {
    return <In invitation={invitation} inactive={standing === "INACTIVE"} />;
  }
  if (standing === "PENDING" || asked) return <Waiting />;
  if (standing === "INVITED" && !declined) {
    return <Answer invitation={invitation} onDeclined={() => setDeclined(true)} />;
  }
  if (invitation.memberCount >= invitation.memberCapacity) return <Note tone="warning">{t.full}</Note>;
  return (
    <Stack gap="3">
      {declined && <Note live>{t.declined}</Note>}
      <Ask invitation={invitation} code={code} onAsked={() => setAsked(true)} />
      {!declined && <NotForMe {...aside} />}
    </Stack>
  );
}
