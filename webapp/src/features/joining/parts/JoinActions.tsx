import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useLocation } from "react-router";
import type { Invitation } from "@/api/types";
import { paths } from "@/app/paths";
import { errorTexts } from "@/lib/texts/errors";
import { joinTexts as t } from "@/lib/texts/savings";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { toast } from "@/ui/toaster";

function AtTheDoor() {
  const { pathname, search } = useLocation();
  const origin = { from: pathname + search };
  return (
    <Stack gap="3">
      <LinkButton to={paths.login} state={origin} size="lg" fullWidth>
        {t.login}
      </LinkButton>
      <LinkButton to={paths.signup} state={origin} size="lg" variant="outline" fullWidth>
        {t.signup}
      </LinkButton>
      <chakra.p textStyle="small" color="fg.muted" textAlign="center">
        {t.loginLead}
      </chakra.p>
    </Stack>
  );
}

function Waiting() {
  return (
    <Note title={t.waitTitle} live>
      {t.wait}
    </Note>
  );
}

interface JoinActionsProps {
  invitation: Invitation;
  code: string;
  standing: "outside" | Invitation["memberStatus"];
}

/** What the one who holds the invitation can do with it now. */
export function JoinActions({ invitation, code, standing }: JoinActionsProps) {
  const authenticated = useStore((state) => state.authenticated);
  const joinGroup = useStore((state) => state.joinGroup);
  const [asked, setAsked] = useState(false);
  const { state, run } = useIntent({
    name: `join:${invitation.groupId}`,
    send: (key: string, groupId: string) => joinGroup(key, groupId, code),
  });
  const join = async () => {
    try {
      await run(invitation.groupId);
      setAsked(true);
      toast.success(t.joined);
    } catch (error) {
      report(error, errorTexts.notAnswered.join);
    }
  };

  if (!authenticated) return <AtTheDoor />;
  if (standing === "ACTIVE") {
    return (
      <Stack gap="4">
        <Note tone="success" title={t.inTitle} live>
          {invitation.name}
        </Note>
        <LinkButton to={paths.group(invitation.groupId)} size="lg" fullWidth>
          {t.open}
        </LinkButton>
      </Stack>
    );
  }
  if (standing === "PENDING" || asked) return <Waiting />;
  if (invitation.memberCount >= invitation.memberCapacity) return <Note tone="warning">{t.full}</Note>;
  return (
    <Button size="lg" fullWidth loading={state === "sending"} onClick={join}>
      {t.join}
    </Button>
  );
}
