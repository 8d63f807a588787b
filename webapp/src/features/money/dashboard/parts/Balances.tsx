import { Box, chakra, SimpleGrid } from "@chakra-ui/react";
import { walletTexts } from "@/features/money/wallet";
import { paths } from "@/lib/paths";
import { balancesSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { LinkButton, TextLink } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { PlusIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/money/Naira";
import { FigureSkeleton } from "@/ui/Skeletons";
import { dashboardTexts as t } from "../texts";

function Share({ name, amount, to }: { name: string; amount: number; to?: string }) {
  return (
    <Box>
      <chakra.dt textStyle="small" color="fg.muted">
        {to ? <TextLink to={to}>{name}</TextLink> : name}
      </chakra.dt>
      <chakra.dd fontWeight="600" fontSize="lg">
        <RollingNaira amount={amount} />
      </chakra.dd>
    </Box>
  );
}

export function BalancesCard() {
  const { remote: balances, load } = useRead(balancesSource);
  return (
    <Card
      title={t.total}
      action={
        <LinkButton to={`${paths.wallet}?fund=1`} icon={<PlusIcon />}>
          {walletTexts.fund}
        </LinkButton>
      }
    >
      <Loaded remote={balances} skeleton={<FigureSkeleton />} onRetry={load}>
        {(value) => (
          <>
            <chakra.p textStyle="hero" data-total>
              <RollingNaira amount={value.totalBalance} />
            </chakra.p>
            <SimpleGrid
              as="dl"
              columns={{ base: 1, md: 3 }}
              gap="4"
              mt="6"
              pt="5"
              borderTopWidth="1px"
              borderColor="border"
            >
              <Share name={walletTexts.balance} amount={value.balance} />
              {Boolean(value.held) && <Share name={walletTexts.held} amount={value.held ?? 0} />}
              <Share name={walletTexts.savings} amount={value.savingsBalance} />
              <Share name={walletTexts.ajo} amount={value.groupAjoBalance} to={paths.myAjo} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Card>
  );
}
