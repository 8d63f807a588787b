import { chakra, Stack } from "@chakra-ui/react";
import { useCallback, useEffect, useState } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import { asFailure, failureText } from "@/api/failure";
import { getInvitation } from "@/api/savings";
import type { Group, Invitation } from "@/api/types";
import { paths } from "@/app/paths";
import { errorTexts } from "@/lib/texts/errors";
import { joinTexts as t } from "@/lib/texts/savings";
import type { Remote } from "@/store/remote";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Doorway } from "@/ui/Doorway";
import { FailedNote } from "@/ui/Empty";
import { OpenSeat } from "@/ui/illustrations";
import { Naira } from "@/ui/Naira";
import { FormSkeleton } from "@/ui/Skeletons";
import { JoinActions } from "../parts/JoinActions";

type Standing = "outside" | Group["memberStatus"];

function useInvitation(groupId: string, code: string) {
  const token = useStore((state) => state.session?.token);
  const [invitation, setInvitation] = useState<Remote<Invitation> | { state: "missing" }>({ state: "loading" });
  const load = useCallback(async () => {
    setInvitation({ state: "loading" });
    try {
      setInvitation({ state: "ready", value: (await getInvitation(groupId, code)).value });
    } catch (error) {
      const { status } = asFailure(error);
      const missing = status === 404 || status === 400;
      setInvitation(
        missing ? { state: "missing" } : { state: "failed", text: failureText(error, errorTexts.noResponse) },
      );
    }
  }, [groupId, code]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is signed in decides what the invitation says
  useEffect(() => void load(), [load, token]);
  return { invitation, load };
}

/** Where the one signed in stands in the group, followed live. */
function useStanding(groupId: string, told: Standing): Standing {
  const loadGroups = useStore((state) => state.loadGroups);
  const token = useStore((state) => state.session?.token);
  const mine = useStore((state): Group | undefined =>
    state.groups.state === "ready" ? state.groups.value.find(({ id }) => id === groupId) : undefined,
  );
  useEffect(() => {
    if (token) void loadGroups();
  }, [token, loadGroups]);
  return mine?.memberStatus ?? told;
}

function Invited({ invitation, code }: { invitation: Invitation; code: string }) {
  const standing = useStanding(invitation.groupId, invitation.memberStatus ?? "outside");
  return (
    <Doorway title={invitation.name} lead={t.by(invitation.invitedBy)} picture={<OpenSeat />}>
      <Stack gap="6">
        {invitation.invitedByVerified ? (
          <Note tone="success">{t.verified(invitation.invitedBy)}</Note>
        ) : (
          <Note tone="warning">{t.unverified(invitation.invitedBy)}</Note>
        )}
        {invitation.description && <chakra.p overflowWrap="anywhere">{invitation.description}</chakra.p>}
        <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
          <Facts
            rows={[
              [
                t.contribution,
                <span key="amount">
                  <Naira amount={invitation.amount} /> a month
                </span>,
              ],
              [t.members, t.of(invitation.memberCount, invitation.memberCapacity)],
            ]}
          />
        </chakra.div>
        <JoinActions invitation={invitation} code={code} standing={standing} />
      </Stack>
    </Doorway>
  );
}

export function JoinGroup() {
  const { groupId = "" } = useParams();
  const [query] = useSearchParams();
  const { pathname, search } = useLocation();
  const code = query.get("code") ?? "";
  const { invitation, load } = useInvitation(groupId, code);
  const authenticated = useStore((state) => state.authenticated);
  const rememberInvitation = useStore((state) => state.rememberInvitation);
  const there = pathname + search;
  useEffect(() => {
    if (!authenticated && invitation.state === "ready") rememberInvitation(there);
  }, [authenticated, invitation.state, there, rememberInvitation]);

  if (invitation.state === "ready") return <Invited invitation={invitation.value} code={code} />;
  if (invitation.state === "failed") {
    return (
      <Doorway title={t.title}>
        <FailedNote text={invitation.text} onRetry={load} />
      </Doorway>
    );
  }
  if (invitation.state === "missing") {
    return (
      <Doorway title={t.missingTitle} lead={t.missing}>
        <LinkButton to={paths.landing} variant="outline" fullWidth>
          {t.home}
        </LinkButton>
      </Doorway>
    );
  }
  return <FormSkeleton />;
}
