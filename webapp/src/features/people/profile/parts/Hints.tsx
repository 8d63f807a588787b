import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { Account } from "@/api/schema.gen";
import { type ProfileSection, paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { profileTexts } from "../texts";

const t = profileTexts;

interface Hint {
  section: ProfileSection;
  title: string;
  text: string;
}

/** Hints about missing parts of the profile, the nearest first. */
export function missing(account: Account): Hint[] {
  const { hints } = t;
  const documents = [account.utilitybillUrl, account.bankAccountStatementUrl, account.offerLetterUrl];
  const all: [boolean, ProfileSection, { title: string; text: string }][] = [
    [account.needsGuardian, "guardian", hints.guardian],
    [!account.bankAccountNumber, "bank", hints.bank],
    [!account.bvnVerified, "bank", hints.bvn],
    [documents.some((document) => !document), "documents", hints.documents],
  ];
  return all.filter(([wanted]) => wanted).map(([, section, words]) => ({ section, ...words }));
}

export function Hints({ account }: { account: Account }) {
  const hints = missing(account);
  if (hints.length === 0) return null;
  return (
    <Card title={t.hintsTitle}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {hints.map(({ section, title, text }) => (
          <Flex key={title} align="center" gap="4" py="3">
            <Box flex="1" minWidth="0">
              <chakra.p textStyle="body" fontWeight="600">
                {title}
              </chakra.p>
              <chakra.p textStyle="small" color="fg.muted">
                {text}
              </chakra.p>
            </Box>
            <LinkButton to={paths.editProfile(section)} variant="outline" aria-label={`${t.go}: ${title}`}>
              {t.go}
            </LinkButton>
          </Flex>
        ))}
      </Stack>
    </Card>
  );
}
