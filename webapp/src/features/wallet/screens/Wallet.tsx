import { Box, chakra, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Balances, PaymentStart } from "@/api/types";
import { walletTexts as t } from "@/lib/texts/wallet";
import { useStore } from "@/store/store";
import { useRemote } from "@/store/useRemote";
import { Button } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { PlusIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/Naira";
import { FigureSkeleton } from "@/ui/Skeletons";
import { FundModal } from "../parts/FundModal";
import { Movements } from "../parts/Movements";
import { OpenPayments } from "../parts/OpenPayments";
import { Returned } from "../parts/Returned";

const FUND = "fund";
const REFERENCES = ["reference", "trxref"];

function Figures({ balances }: { balances: Balances }) {
  const rest: [string, number][] = [
    [t.savings, balances.savingsBalance],
    [t.ajo, balances.groupAjoBalance],
    [t.total, balances.totalBalance],
  ];
  return (
    <>
      <chakra.p textStyle="hero" data-balance>
        <RollingNaira amount={balances.balance} />
      </chakra.p>
      <SimpleGrid as="dl" columns={{ base: 1, md: 3 }} gap="4" mt="6" pt="5" borderTopWidth="1px" borderColor="border">
        {rest.map(([name, amount]) => (
          <Box key={name}>
            <chakra.dt textStyle="small" color="fg.muted">
              {name}
            </chakra.dt>
            <chakra.dd fontWeight="600" fontSize="lg">
              <RollingNaira amount={amount} />
            </chakra.dd>
          </Box>
        ))}
      </SimpleGrid>
    </>
  );
}

export function Wallet() {
  const load = useStore((state) => state.loadBalances);
  const balances = useRemote((state) => state.balances, load);
  const [query, setQuery] = useSearchParams();
  const [funding, setFunding] = useState(query.has(FUND));
  const [resume, setResume] = useState<PaymentStart>();
  const reference = REFERENCES.map((name) => query.get(name)).find(Boolean);

  const close = () => {
    setFunding(false);
    setResume(undefined);
    if (query.has(FUND)) setQuery({}, { replace: true });
  };
  const fund = (
    <Button icon={<PlusIcon />} onClick={() => setFunding(true)}>
      {t.fund}
    </Button>
  );
  return (
    <Stack gap="4">
      <title>Wallet · Adashi</title>
      <Box mb="-4">
        <PageHead title={t.title} detail={t.lead} />
      </Box>
      {reference && <Returned reference={reference} onDismiss={() => setQuery({}, { replace: true })} />}
      <Card title={t.balance} action={fund}>
        <Loaded remote={balances} skeleton={<FigureSkeleton />} onRetry={load}>
          {(value) => <Figures balances={value} />}
        </Loaded>
      </Card>
      <OpenPayments onResume={setResume} />
      <Movements onFund={() => setFunding(true)} />
      <FundModal open={funding || resume !== undefined} resume={resume} onClose={close} />
    </Stack>
  );
}
