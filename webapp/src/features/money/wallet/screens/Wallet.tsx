import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { Balances, PaymentStart } from "@/api/schema.gen";
import { StandingOrders } from "@/features/money/standingOrders";
import { Frozen, withdrawTexts } from "@/features/money/withdrawals";
import { paths, type StandingFor } from "@/lib/paths";
import { screenTexts } from "@/lib/texts/common";
import { freezeSource } from "@/store/disputeSources";
import { balancesSource } from "@/store/sources";
import { useKnown, useRead } from "@/store/useRead";
import { Button, LinkButton, TextLink } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { ArrowOutIcon, PlusIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/money/Naira";
import { Owed } from "@/ui/money/Owed";
import { FigureSkeleton } from "@/ui/Skeletons";
import { Cards } from "../parts/Cards";
import { Flow } from "../parts/Flow";
import { FundModal } from "../parts/FundModal";
import { Limits } from "../parts/Limits";
import { Movements } from "../parts/Movements";
import { OpenPayments } from "../parts/OpenPayments";
import { Returned } from "../parts/Returned";
import { walletTexts as t } from "../texts";

const REFERENCES = ["reference", "trxref"];

function Figures({ balances }: { balances: Balances }) {
  const freeze = useKnown(freezeSource);
  const held = freeze?.state === "ready" && freeze.value.frozen ? t.frozen : t.held;
  const rest: [name: string, amount: number, to?: string][] = [
    ...(balances.held ? [[held, balances.held] as [string, number]] : []),
    [t.savings, balances.savingsBalance],
    [t.ajo, balances.groupAjoBalance, paths.myAjo],
    [t.total, balances.totalBalance],
  ];
  return (
    <>
      <chakra.p textStyle="hero" data-balance>
        <RollingNaira amount={balances.balance} />
      </chakra.p>
      <Box mt="4" _empty={{ display: "none" }}>
        <Owed amount={balances.owed} />
      </Box>
      <Flex as="dl" wrap="wrap" gap="4" mt="6" pt="5" borderTopWidth="1px" borderColor="border">
        {rest.map(([name, amount, to]) => (
          <Box key={name} flex="1 0 8rem" data-held={name === held || undefined}>
            <chakra.dt textStyle="small" color="fg.muted">
              {to ? <TextLink to={to}>{name}</TextLink> : name}
            </chakra.dt>
            <chakra.dd fontWeight="600" fontSize="lg">
              <RollingNaira amount={amount} />
            </chakra.dd>
          </Box>
        ))}
      </Flex>
    </>
  );
}

/** Reads the address: a payment to come back to, or a dialog to open. */
function useAsked() {
  const [query, setQuery] = useSearchParams();
  const subAccountId = query.get("standing");
  const proposed: StandingFor | undefined = subAccountId
    ? { subAccountId, groupId: query.get("groupId") ?? "", amount: Number(query.get("amount")) || 0 }
    : undefined;
  return {
    funding: query.has("fund"),
    reference: REFERENCES.map((name) => query.get(name)).find(Boolean),
    proposed,
    clear: () => {
      if (query.size > 0) setQuery({}, { replace: true });
    },
  };
}

function Actions({ onFund }: { onFund: () => void }) {
  return (
    <Flex gap="2" wrap="wrap" justify="flex-end">
      <Button icon={<PlusIcon />} onClick={onFund}>
        {t.fund}
      </Button>
      <LinkButton variant="outline" icon={<ArrowOutIcon />} to={paths.withdraw}>
        {withdrawTexts.action}
      </LinkButton>
    </Flex>
  );
}

export function Wallet() {
  const { remote: balances, load } = useRead(balancesSource);
  const asked = useAsked();
  const [funding, setFunding] = useState(false);
  // Opened once the screen is there: a new screen takes the focus, and a dialog that loses it closes.
  useEffect(() => {
    if (asked.funding) setFunding(true);
  }, [asked.funding]);
  const [resume, setResume] = useState<PaymentStart>();

  const close = () => {
    setFunding(false);
    setResume(undefined);
    if (asked.funding) asked.clear();
  };
  const fund = () => setFunding(true);
  return (
    <Stack gap="4">
      <title>Wallet · Adashi</title>
      <Box mb="-4">
        <PageHead title={t.title} detail={t.lead} action={<Actions onFund={fund} />} />
      </Box>
      <Frozen />
      {asked.reference && <Returned reference={asked.reference} onDismiss={asked.clear} />}
      <Card title={t.balance}>
        <Loaded remote={balances} skeleton={<FigureSkeleton />} onRetry={load}>
          {(value) => <Figures balances={value} />}
        </Loaded>
      </Card>
      <OpenPayments onResume={setResume} />
      <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4">
        <Flow />
        <Limits />
        <StandingOrders proposed={asked.proposed} onProposed={asked.clear} />
        <Cards />
      </Grid>
      <Movements onFund={fund} />
      <Flex justify="center" wrap="wrap" columnGap="4">
        <LinkButton variant="link" to={paths.newDispute()}>
          {screenTexts.wrong}
        </LinkButton>
        <LinkButton variant="link" to={paths.disputes}>
          {screenTexts.disputes}
        </LinkButton>
        <LinkButton variant="link" to={paths.reserves}>
          {t.reserves}
        </LinkButton>
      </Flex>
      <FundModal open={funding || resume !== undefined} resume={resume} onClose={close} />
    </Stack>
  );
}
