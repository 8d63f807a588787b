import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { WalletLimits } from "@/api/schema.gen";
import { getLimits } from "@/api/withdrawals";
import { limitTexts as t } from "@/features/money/withdrawals";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ofWallet } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge, Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Meter } from "@/ui/form/Meter";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";

const cap = (balanceCap: number | undefined) => (balanceCap === undefined ? t.noCap : formatNaira(balanceCap));

const cell = { textAlign: "start", py: "2", pe: "4", verticalAlign: "top" } as const;

function Tiers({ tiers, tier }: Pick<WalletLimits, "tiers" | "tier">) {
  return (
    <chakra.details>
      <chakra.summary cursor="pointer" textStyle="body" color="fg.brand" minHeight="11" py="2.5">
        {t.all}
      </chakra.summary>
      <Box overflowX="auto" tabIndex={0} role="region" aria-label={t.all}>
        <chakra.table width="full" textStyle="small" fontVariantNumeric="tabular-nums">
          <thead>
            <tr>
              {[t.row.tier, t.row.daily, t.row.cap, t.row.needs].map((name) => (
                <chakra.th key={name} scope="col" {...cell} color="fg.muted" fontWeight="500">
                  {name}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tiers.map((row) => (
              <chakra.tr key={row.tier} borderTopWidth="1px" borderColor="border">
                <chakra.th scope="row" {...cell} fontWeight={row.tier === tier ? "700" : "500"}>
                  {row.tier}
                </chakra.th>
                <chakra.td {...cell}>{formatNaira(row.daily)}</chakra.td>
                <chakra.td {...cell}>{cap(row.balanceCap)}</chakra.td>
                <chakra.td {...cell}>{row.needs}</chakra.td>
              </chakra.tr>
            ))}
          </tbody>
        </chakra.table>
      </Box>
    </chakra.details>
  );
}

function Next({ tier, needs }: Pick<WalletLimits, "tier" | "needs">) {
  if (needs.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.highest}
      </chakra.p>
    );
  }
  return (
    <Box>
      <chakra.h3 textStyle="label">{t.next(tier + 1)}</chakra.h3>
      <chakra.ul listStyleType="none" textStyle="body" color="fg.muted" mt="1" mb="3">
        {needs.map((need) => (
          <li key={need}>{need}</li>
        ))}
      </chakra.ul>
      <LinkButton to={paths.profile} variant="outline" size="sm">
        {t.toProfile}
      </LinkButton>
    </Box>
  );
}

function Figures({ limits }: { limits: WalletLimits }) {
  const { tier, daily, usedToday, left, balanceCap, tiers, needs } = limits;
  const used = t.used(formatNaira(usedToday), formatNaira(daily));
  return (
    <Stack gap="4">
      <Flex>
        <Badge tone={tier === 0 ? "warning" : "brand"}>{t.tier(tier)}</Badge>
      </Flex>
      <Stack gap="1.5">
        <Flex justify="space-between" gap="3" wrap="wrap" textStyle="body">
          <chakra.span color="fg.muted">{t.today}</chakra.span>
          <chakra.span fontWeight="600" fontVariantNumeric="tabular-nums">
            {used}
          </chakra.span>
        </Flex>
        <Meter part={daily === 0 ? 0 : Math.min(1, usedToday / daily)} label={`${t.today}: ${used}`} />
      </Stack>
      <Facts
        rows={[
          [t.left, <Naira key="left" amount={left} />],
          [t.cap, balanceCap === undefined ? t.noCap : <Naira key="cap" amount={balanceCap} />],
        ]}
      />
      <Next tier={tier} needs={needs} />
      <Tiers tiers={tiers} tier={tier} />
    </Stack>
  );
}

/** The limits of the member's tier, how much is used today, and the way to a higher tier. */
export function Limits() {
  const { remote, load } = useRead({ ...ofWallet, key: "limits", read: getLimits });
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(limits) => <Figures limits={limits} />}
      </Loaded>
    </Card>
  );
}
