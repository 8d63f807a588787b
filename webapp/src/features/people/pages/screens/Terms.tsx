import { chakra, Stack } from "@chakra-ui/react";
import { PublicPage } from "@/ui/PublicPage";
import { termsTexts as t } from "../texts";

export function Terms() {
  return (
    <PublicPage wide title={t.title} lead={t.lead}>
      <Stack gap="6">
        {t.parts.map((part) => (
          <section key={part.title}>
            <chakra.h2 textStyle="section">{part.title}</chakra.h2>
            {part.text.map((paragraph) => (
              <chakra.p key={paragraph} mt="2">
                {paragraph}
              </chakra.p>
            ))}
          </section>
        ))}
      </Stack>
    </PublicPage>
  );
}
