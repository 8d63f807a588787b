import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { getAjoData } from "@/api/ajos";
import { asFailure } from "@/api/failure";
import type { AjoInvitation } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { useStore } from "@/store/store";
import { useKeptInvitation } from "@/store/useKeptInvitation";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { FailedNote } from "@/ui/Empty";
import { OpenSeat } from "@/ui/illustrations";
import { AtTheDoor, NotForMe } from "@/ui/inviting/Door";
import { PublicPage } from "@/ui/PublicPage";
import { FormSkeleton } from "@/ui/Skeletons";
import { JoinForm } from "../join/JoinForm";
import { Places } from "../join/Places";
import { TermsCard } from "../join/TermsCard";
import { joinTexts as t } from "../texts";

/** A refusal of the code says the same as an invitation that is not there. */
const isMissing = (error: unknown) => [400, 403, 404].includes(asFailure(error).status ?? 0);

interface DoorProps {
  ajo: AjoInvitation;
  code: string;
  load: () => Promise<void>;
}

/** What one may do here now. */
function Door({ ajo, code, load }: DoorProps) {
  const authenticated = useStore((state) => state.authenticated);
  const refreshTopics = useStore((state) => state.refreshTopics);
  const [joined, setJoined] = useState(false);
  const come = () => {
    setJoined(true);
    refreshTopics(["ajo"]);
  };
  const isIn = joined || ajo.isMember;
  const aside = useKeptInvitation(authenticated && !isIn);
  if (!authenticated) return <AtTheDoor />;
  if (isIn) {
    return (
      <Stack gap="4">
        <Note tone="success" title={t.inTitle} live>
          {t.inText}
        </Note>
        <LinkButton to={paths.ajo(ajo.id)} size="lg" fullWidth>
          {t.open}
        </LinkButton>
      </Stack>
    );
  }
  if (ajo.openPlaces.length > 0) return <Places ajo={ajo} code={code} onTaken={come} />;
  if (ajo.status !== "OPEN") return <Note tone="warning">{t.closed}</Note>;
  if (ajo.freeHalves === 0) return <Note tone="warning">{t.full}</Note>;
  return (
    <Stack gap="3">
      <JoinForm ajo={ajo} code={code} onJoined={come} onRefused={() => void load()} />
      <NotForMe {...aside} />
    </Stack>
  );
}

function Invited({ ajo, code, load }: DoorProps) {
  return (
    <PublicPage wide title={ajo.name} lead={t.lead(ajo.ownerName)} picture={<OpenSeat />}>
      <Stack gap="6">
        <p>{t.what}</p>
        {ajo.description && <chakra.p overflowWrap="anywhere">{ajo.description}</chakra.p>}
        <TermsCard ajo={ajo} />
        <Door ajo={ajo} code={code} load={load} />
      </Stack>
    </PublicPage>
  );
}

export function JoinAjo() {
  const { groupId: id = "" } = useParams();
  const [query] = useSearchParams();
  const code = query.get("code") ?? "";
  const own = useStore((state) => state.session?.id ?? "");
  const { remote, load } = useRead({
    key: `ajoInvitation:${id}:${code}:${own}`,
    area: "ajo",
    read: () => getAjoData(id, code || undefined),
    isMissing,
  });

  if (remote.state === "ready") return <Invited ajo={remote.value} code={code} load={load} />;
  if (remote.state === "loading") return <FormSkeleton />;
  if (remote.missing) {
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
      <FailedNote text={remote.text} onRetry={load} />
    </PublicPage>
  );
}
