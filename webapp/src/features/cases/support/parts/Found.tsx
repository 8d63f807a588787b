import { chakra, Stack } from "@chakra-ui/react";
import type { Case } from "@/api/schema.gen";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { caseTexts as t } from "../texts";

/** What the ledger shows by amount and day, and which of it the member claims. */
export function Found({ kase: { found, claimed } }: { kase: Case }) {
  if (!found) return null;
  return (
    <Card title={t.found}>
      <Stack gap="3">
        <chakra.p textStyle="body" color="fg.muted">
          {found.length === 0 ? t.foundNone : t.foundLead}
        </chakra.p>
        {found.length > 0 && (
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="2">
            {found.map((find) => (
              <chakra.li
                key={`${find.what}${find.arrivalId ?? find.link ?? ""}${find.at}`}
                bg="bg.muted"
                borderRadius="md"
                px="4"
                py="3"
                textStyle="body"
                data-find={find.what}
              >
                <p>{find.words}</p>
                {claimed && find.arrivalId === claimed && <Badge tone="brand">{t.theirs}</Badge>}
              </chakra.li>
            ))}
          </chakra.ul>
        )}
      </Stack>
    </Card>
  );
}
