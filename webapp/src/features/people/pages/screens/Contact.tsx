import { chakra, Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { helpTexts } from "@/lib/texts/common";
import { AwayButton, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { PublicPage } from "@/ui/PublicPage";
import { contactTexts as t } from "../texts";

export function Contact() {
  return (
    <PublicPage
      title={t.title}
      lead={t.lead}
      foot={
        <LinkButton to={paths.faqs} variant="link">
          {t.faqs}
        </LinkButton>
      }
    >
      <Stack gap="5">
        <chakra.p fontWeight="600" fontSize="lg" overflowWrap="anywhere">
          {helpTexts.mail}
        </chakra.p>
        <p>{t.what}</p>
        <AwayButton href={`mailto:${helpTexts.mail}`} size="lg" fullWidth>
          {t.write}
        </AwayButton>
        <CopyButton value={helpTexts.mail} what="address" label="Copy address" size="md" />
        <Note tone="warning">{helpTexts.safety}</Note>
      </Stack>
    </PublicPage>
  );
}
