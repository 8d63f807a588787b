import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Account } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { profileSource } from "@/store/sources";
import { useMyPicture } from "@/store/usePicture";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { LockIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Person } from "@/ui/Person";
import { FigureSkeleton } from "@/ui/Skeletons";
import { bvnTones } from "../parts/Bvn";
import { Hints } from "../parts/Hints";
import { editTexts, profileTexts as t } from "../texts";

function Details({ account }: { account: Account }) {
  const picture = useMyPicture();
  const { isEmailVerified, bankName, bankAccountNumber, bvnStatus } = account;
  return (
    <Stack gap="6">
      <Person id={account.id} name={fullName(account)} detail={account.email} size="4rem" picture={picture} />
      <Facts
        rows={[
          [
            t.email,
            <Stack key="email" gap="1" align="flex-end">
              {account.email}
              <Badge tone={isEmailVerified ? "success" : "warning"}>
                {isEmailVerified ? t.verified : t.notVerified}
              </Badge>
            </Stack>,
          ],
          [t.phone, account.phone],
          [t.bank, bankAccountNumber ? `${bankName ?? ""} ${bankAccountNumber}`.trim() : t.none],
          [
            t.bvn,
            <Badge key="bvn" tone={bvnTones[bvnStatus]}>
              {editTexts.bvn.states[bvnStatus]}
            </Badge>,
          ],
          [t.since, shortDay(account.dateRegistered)],
        ]}
      />
      <Note>{t.only}</Note>
    </Stack>
  );
}

export function Profile() {
  const { remote: profile, load } = useRead(profileSource);
  return (
    <Stack gap="0" maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} action={<LinkButton to={paths.editProfile()}>{t.edit}</LinkButton>} />
      <Stack gap="4">
        {profile.state === "ready" && <Hints account={profile.value} />}
        <Card>
          <Loaded remote={profile} skeleton={<FigureSkeleton />} onRetry={load}>
            {(account) => <Details account={account} />}
          </Loaded>
        </Card>
        <Card title={t.security}>
          <Flex align="center" gap="4" wrap="wrap" justify="space-between">
            <chakra.p color="fg.muted">{t.securityLead}</chakra.p>
            <LinkButton to={paths.security} variant="outline" icon={<LockIcon />}>
              {t.security}
            </LinkButton>
          </Flex>
        </Card>
      </Stack>
    </Stack>
  );
}
