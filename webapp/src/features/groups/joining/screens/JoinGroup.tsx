import { chakra, Stack } from "@chakra-ui/react";
import { useParams, useSearchParams } from "react-router";
import { asFailure } from "@/api/failure";
import { getInvitation } from "@/api/savings";
import type { Group, Invitation } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { groupsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { FailedNote } from "@/ui/Empty";
import { OpenSeat } from "@/ui/illustrations";
import { Naira } from "@/ui/money/Naira";
import { PublicPage } from "@/ui/PublicPage";
import { FormSkeleton } from "@/ui/Skeletons";
import { JoinActions } from "../parts/JoinActions";
import { joinTexts as t } from "../texts";

type Standing = "outside" | Group["memberStatus"];

/** A refusal of the code says the same as an invitation that is not there. */
const isMissing = (error: unknown) => [400, 404].includes(asFailure(error).status ?? 0);

/** Reads the invitation; its answer depends on who is signed in. */
function useInvitation(groupId: string, code: string) {
  const own = useStore((state) => state.session?.id ?? "");
  const { remote: invitation, load } = useRead({
    key: `invitation:${groupId}:${code}:${own}`,
    area: "savings",
    topics: own ? ["group"] : [],
    read: () => getInvitation(groupId, code),
    isMissing,
  });
  return { invitation, load };
}

/** The standing of the signed-in person in the group, followed live. */
function useStanding(groupId: string, told: Standing): Standing {
  const authenticated = useStore((state) => state.authenticated);
  const { remote } = useRead(authenticated ? groupsSource : undefined);
  const mine = remote.state === "ready" ? remote.value.find(({ id }) => id === groupId) : undefined;
  return mine?.memberStatus ?? told;
}

function Invited({ invitation, code }: { invitation: Invitation; code: string }) {
  const standing = useStanding(invitation.groupId, invitation.memberStatus ?? "outside");
  return (
    <PublicPage title={invitation.name} lead={t.by(invitation.invitedBy)} picture={<OpenSeat />}>
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
    </PublicPage>
  );
}

export function JoinGroup() {
  const { groupId = "" } = useParams();
  const [query] = useSearchParams();
  const code = query.get("code") ?? "";
  const { invitation, load } = useInvitation(groupId, code);

  if (invitation.state === "ready") return <Invited invitation={invitation.value} code={code} />;
  if (invitation.state === "loading") return <FormSkeleton />;
  if (invitation.missing) {
    return (
      <PublicPage title={t.missingTitle} lead={t.missing}>
        <LinkButton to={paths.landing} variant="outline" fullWidth>
          {t.home}
        </LinkButton>
      </PublicPage>
    );
  }
  return (
    <PublicPage title={t.title}>
      <FailedNote text={invitation.text} onRetry={load} />
    </PublicPage>
  );
}
