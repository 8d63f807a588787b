import { chakra, Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { faqsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Loaded } from "@/ui/Loaded";
import { PublicPage } from "@/ui/PublicPage";
import { ListSkeleton } from "@/ui/Skeletons";
import { faqTexts as t } from "../texts";

export function Faqs() {
  const { remote: faqs, load } = useRead(faqsSource);
  return (
    <PublicPage
      wide
      title={t.title}
      lead={t.lead}
      foot={
        <>
          {t.more}
          <LinkButton to={paths.contact} variant="link">
            {t.contact}
          </LinkButton>
        </>
      }
    >
      <Loaded remote={faqs} skeleton={<ListSkeleton rows={10} />} onRetry={load}>
        {(all) => (
          <Stack gap="0" divideY="1px" divideColor="border">
            {all.map(({ question, answer }) => (
              <chakra.details key={question} py="1">
                <chakra.summary
                  minHeight="11"
                  py="2.5"
                  fontWeight="600"
                  cursor="pointer"
                  borderRadius="sm"
                  _hover={{ color: "fg.brand" }}
                >
                  {question}
                </chakra.summary>
                <chakra.p color="fg.muted" pb="3" overflowWrap="anywhere">
                  {answer}
                </chakra.p>
              </chakra.details>
            ))}
          </Stack>
        )}
      </Loaded>
    </PublicPage>
  );
}
