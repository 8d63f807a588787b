import { Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import type { Account } from "@/api/types";
import { shortDay } from "@/lib/dates";
import { fullName } from "@/lib/person";
import { accountTexts } from "@/lib/texts/account";
import { useStore } from "@/store/store";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { FailedNote } from "@/ui/Empty";
import { Person } from "@/ui/Person";
import { FigureSkeleton } from "@/ui/Skeletons";

const t = accountTexts.profile;

function Details({ account }: { account: Account }) {
  return (
    <Stack gap="6">
      <Person id={account.id} name={fullName(account)} detail={account.email} size="4rem" />
      <Facts
        rows={[
          [t.name, fullName(account)],
          [
            t.email,
            <Stack key="email" gap="1" align="flex-end">
              {account.email}
              {account.isEmailVerified ? (
                <Badge tone="success">{t.verified}</Badge>
              ) : (
                <Badge tone="warning">{t.notVerified}</Badge>
              )}
            </Stack>,
          ],
          [t.phone, account.phone],
          [t.since, shortDay(account.dateRegistered)],
          [t.roles, account.roles.join(", ")],
        ]}
      />
      <Note>{t.only}</Note>
    </Stack>
  );
}

export function Profile() {
  const profile = useStore((state) => state.profile);
  const refreshProfile = useStore((state) => state.refreshProfile);
  useEffect(() => void refreshProfile(), [refreshProfile]);
  return (
    <Stack gap="0" maxWidth="40rem">
      <title>Profile · Adashi</title>
      <PageHead title={t.title} detail={t.lead} />
      <Card>
        {profile.state === "ready" && <Details account={profile.value} />}
        {profile.state === "failed" && <FailedNote text={profile.text} onRetry={refreshProfile} />}
        {(profile.state === "idle" || profile.state === "loading") && <FigureSkeleton />}
      </Card>
    </Stack>
  );
}
