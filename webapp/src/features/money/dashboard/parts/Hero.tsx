import { chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import type { Balances } from "@/api/schema.gen";
import { walletTexts } from "@/features/money/wallet";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { ArrowOutIcon, PlusIcon } from "@/ui/icons";
import { RollingNaira } from "@/ui/money/Naira";
import { dashboardTexts as t } from "../texts";

function Chip({ name, amount }: { name: string; amount: number }) {
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="3" py="2" flex="1 1 40%" minWidth="fit-content">
      <chakra.dt textStyle="small" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd fontWeight="600">
        <RollingNaira amount={amount} />
      </chakra.dd>
    </chakra.div>
  );
}

/** The wallet, large, with the way in and out; what is saved elsewhere in chips. */
export function Hero({ balances }: { balances: Balances }) {
  const { balance, held, savingsBalance, groupAjoBalance } = balances;
  return (
    <CardBox>
      <chakra.h2 textStyle="small" color="fg.muted">
        {walletTexts.balance}
      </chakra.h2>
      <chakra.p textStyle="hero" data-wallet>
        <RollingNaira amount={balance} />
      </chakra.p>
      <SimpleGrid columns={2} gap="3" mt="3">
        <LinkButton to={paths.fund} icon={<PlusIcon />} fullWidth>
          {t.fund}
        </LinkButton>
        <LinkButton to={paths.withdraw} variant="outline" icon={<ArrowOutIcon />} fullWidth>
          {t.withdraw}
        </LinkButton>
      </SimpleGrid>
      <Flex as="dl" wrap={{ base: "wrap", md: "nowrap" }} gap="2" mt="3">
        <Chip name={t.savings} amount={savingsBalance} />
        <Chip name={t.ajo} amount={groupAjoBalance} />
        {held ? <Chip name={walletTexts.held} amount={held} /> : null}
      </Flex>
    </CardBox>
  );
}
