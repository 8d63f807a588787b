import { Box, chakra, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { AjoDues } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { ajoDuesSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Naira, RollingNaira } from "@/ui/money/Naira";
import { PageSkeleton } from "@/ui/Skeletons";
import { Debt } from "../parts/Debt";
import { DueLine } from "../parts/DueLine";
import { myTexts as t } from "../texts";

function List({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <Card title={title}>
      {children.length === 0 ? (
        <chakra.p color="fg.muted">{none}</chakra.p>
      ) : (
        <Stack gap="0" divideY="1px" divideColor="border">
          {children}
        </Stack>
      )}
    </Card>
  );
}

function Collecting({ pot }: { pot: AjoDues["collecting"][number] }) {
  const { ajoId, ajoName, cycle, amount, status } = pot;
  return (
    <Flex align="center" gap="3" py="3" wrap="wrap">
      <Box flex="1 1 13rem" minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600">{ajoName}</chakra.p>
        <Badge tone={status === "ON_HOLD" ? "warning" : "brand"}>{t.payout[status]}</Badge>
      </Box>
      <chakra.p fontWeight="600" fontSize="lg">
        <Naira amount={amount} />
      </chakra.p>
      <LinkButton to={paths.ajoPayouts(ajoId, cycle)} aria-label={t.collectIt(ajoName, cycle)}>
        {t.collect}
      </LinkButton>
    </Flex>
  );
}

function Sum({ name, amount }: { name: string; amount: number }) {
  return (
    <Box>
      <chakra.p textStyle="small" color="fg.muted">
        {name}
      </chakra.p>
      <chakra.p textStyle="figure">
        <RollingNaira amount={amount} />
      </chakra.p>
    </Box>
  );
}

function All({ of }: { of: AjoDues }) {
  const { dues, deposits, debts, collecting } = of;
  return (
    <Stack gap="4">
      <Card>
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          <Sum name={t.owed} amount={of.owed} />
          <Sum name={t.owedToMe} amount={of.owedToMe} />
        </SimpleGrid>
      </Card>
      {deposits.length > 0 && (
        <List title={t.deposits} none="">
          {deposits.map((due) => (
            <DueLine key={`${due.ajoId}${due.seat}`} due={due} deposit />
          ))}
        </List>
      )}
      <List title={t.dues} none={t.noDues}>
        {dues.map((due) => (
          <DueLine key={`${due.ajoId}${due.cycle}${due.seat}`} due={due} />
        ))}
      </List>
      <List title={t.collecting} none={t.noCollecting}>
        {collecting.map((pot) => (
          <Collecting key={pot.ajoId + pot.cycle} pot={pot} />
        ))}
      </List>
      <List title={t.debts} none={t.noDebts}>
        {debts.map((debt) => (
          <Debt key={debt.id} debt={debt} />
        ))}
      </List>
    </Stack>
  );
}

/** All one's dues, deposits, debts and pots. */
export function MyAjo() {
  const { remote, load } = useRead(ajoDuesSource);
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <PageHead
        title={t.title}
        detail={t.lead}
        action={
          <>
            <LinkButton to={paths.ajoTransactions} variant="outline">
              {t.history}
            </LinkButton>
            <LinkButton to={paths.ajoGroups} variant="outline">
              {t.groups}
            </LinkButton>
          </>
        }
      />
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(of) => <All of={of} />}
      </Loaded>
    </Box>
  );
}
