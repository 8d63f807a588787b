import { chakra, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Account } from "@/api/schema.gen";
import { type ProfileSection, paths } from "@/lib/paths";
import { profileSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { FigureSkeleton } from "@/ui/Skeletons";
import { AjoAccess } from "../parts/AjoAccess";
import { Bank } from "../parts/Bank";
import { ChangeAvatar } from "../parts/ChangeAvatar";
import { Documents } from "../parts/Documents";
import { Guardian } from "../parts/Guardian";
import { Personal } from "../parts/Personal";
import { Settings } from "../parts/Settings";
import { editTexts as t } from "../texts";

const titles: Record<ProfileSection, string> = {
  personal: t.personal.title,
  bank: t.bank.title,
  documents: t.documents.title,
  ajo: t.ajo.title,
  guardian: t.guardian.title,
  settings: t.settings.title,
};

/** Comes to the part that the address names, once it is there. */
function useAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    if (!hash) return;
    const frame = requestAnimationFrame(() => document.getElementById(hash.slice(1))?.scrollIntoView?.());
    return () => cancelAnimationFrame(frame);
  }, [hash]);
}

/** For members of 15 to 17. */
const isYoung = (account: Account) => account.needsGuardian || account.guardian !== undefined;

function Parts({ account }: { account: Account }) {
  useAnchor();
  const parts = (Object.keys(titles) as ProfileSection[]).filter((part) => part !== "guardian" || isYoung(account));
  return (
    <Stack gap="4">
      <chakra.nav aria-label={t.parts} display="flex" flexWrap="wrap" columnGap="2">
        {parts.map((part) => (
          <LinkButton key={part} to={paths.editProfile(part)} replace variant="link">
            {titles[part]}
          </LinkButton>
        ))}
      </chakra.nav>
      <Card>
        <ChangeAvatar account={account} />
      </Card>
      <Personal account={account} />
      <Bank account={account} />
      <Documents account={account} />
      <AjoAccess account={account} />
      {isYoung(account) && <Guardian account={account} />}
      <Settings account={account} />
    </Stack>
  );
}

export function EditProfile() {
  const { remote: profile, load } = useRead(profileSource);
  return (
    <Stack gap="0" maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead
        title={t.title}
        detail={t.lead}
        action={
          <LinkButton to={paths.profile} variant="outline">
            {t.back}
          </LinkButton>
        }
      />
      <Loaded
        remote={profile}
        skeleton={
          <Card>
            <FigureSkeleton />
          </Card>
        }
        onRetry={load}
      >
        {(account) => <Parts account={account} />}
      </Loaded>
    </Stack>
  );
}
