import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import type { AuditCoverage } from "@/api/schema.gen";
import { Card } from "@/ui/Card";
import { Meter } from "@/ui/form/Meter";
import { auditTexts as t } from "../texts";

/** How much of the group's payments has been looked at, in all and month by month. */
export function Coverage({ coverage }: { coverage: AuditCoverage }) {
  const { percent, total, months } = coverage;
  return (
    <Card title={t.coverage}>
      <Flex align="baseline" justify="space-between" gap="3" wrap="wrap" mb="2">
        <chakra.p textStyle="figure" data-coverage={percent}>
          {t.percent(percent)}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {(["validated", "resolved", "queried", "unreviewed"] as const)
            .map((state) => `${t.figures[state]} ${coverage[state].toLocaleString("en-NG")}`)
            .join(" · ")}
        </chakra.p>
      </Flex>
      {total > 0 && <Meter part={percent / 100} label={t.percent(percent)} />}
      {months.length > 0 && (
        <chakra.details mt="4">
          <chakra.summary minHeight="11" display="flex" alignItems="center" cursor="pointer" textStyle="label">
            {t.months}
          </chakra.summary>
          <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, md: 3 }} gap="4" mt="2">
            {months.map(({ month, label, reviewed, total: of }) => (
              <Box as="li" key={month}>
                <chakra.p textStyle="small" mb="1">
                  {t.month(label, reviewed, of)}
                </chakra.p>
                <Meter part={of === 0 ? 0 : reviewed / of} label={t.month(label, reviewed, of)} />
              </Box>
            ))}
          </SimpleGrid>
        </chakra.details>
      )}
    </Card>
  );
}
