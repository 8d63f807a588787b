import { Box, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { PaymentStart, SubAccount } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { useRailPayment } from "@/store/payment/useRailPayment";
import type { Remote } from "@/store/source";
import { balancesSource, openPaymentsSource, subAccountsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { FormSkeleton } from "@/ui/Skeletons";
import { ConfirmRail, Unknown } from "../parts/Confirm";
import { payable, transferInto } from "../parts/dues";
import { Followed } from "../parts/Followed";
import { Arrived, Receipt, toGroup, whenItComes } from "../parts/Outcomes";
import { PayForm } from "../parts/PayForm";
import { type Address, useAddress } from "../parts/useAddress";
import { type Order, usePaying } from "../parts/usePaying";
import { What } from "../parts/What";
import { paymentTexts as t } from "../texts";

interface PayingProps {
  sub: SubAccount;
  groupName: string;
  balance: number | undefined;
  /** A payment into the sub-account that waits for its money. */
  transfer: PaymentStart | undefined;
  address: Address;
}

function OpenTransfer({ transfer, onBack }: { transfer: PaymentStart; onBack: () => void }) {
  return (
    <Note tone="warning" title={t.openTransfer(formatNaira(transfer.amount))}>
      <p>{t.openTransferText}</p>
      <Box mt="2">
        <Button size="sm" variant="outline" onClick={onBack}>
          {t.toTransfer}
        </Button>
      </Box>
    </Note>
  );
}

function Paying({ sub, groupName, balance, transfer, address }: PayingProps) {
  const [dues] = useState(() => payable(sub));
  const [order, setOrder] = useState<Order>();
  // Not by due: a payment without an answer may have settled that one, and its key must be found again.
  const name = `pay:${sub.id}`;
  const paying = usePaying(name);
  const rail = useRailPayment(`${name}:rail`, name);
  const { stage } = rail;
  const idle = !paying.receipt && paying.state === "ready" && rail.state === "ready" && stage.at !== "changed";
  const followed = stage.at === "started" ? stage.payment : idle && !address.another ? transfer : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each payment, however the address is kept
  useEffect(() => {
    if (followed) address.follow(followed);
  }, [followed?.transactionRef]);

  const change = () => {
    paying.clearFault();
    rail.back();
  };
  const pay = (next: Order) => {
    change();
    setOrder(next);
    const { method, count: _count, ...paid } = next;
    if (method === "WALLET") paying.pay(next);
    else if (method === "CARD") void rail.review({ ...paid, channel: method });
    else rail.begin({ ...paid, channel: method });
  };

  if (paying.receipt) return <Receipt receipt={paying.receipt} sub={sub} />;
  if (followed) return <FormSkeleton />;
  const asked = address.query.get("period");
  const [first] = dues;
  const unknown = [paying, rail].find(({ state }) => state === "unknown");
  return (
    <Stack gap="5">
      <What sub={sub} groupName={groupName} due={first} />
      {unknown ? (
        <Unknown order={order} by={unknown} />
      ) : order && (stage.at === "review" || stage.at === "changed") ? (
        <ConfirmRail order={order} name={sub.name} rail={rail} onChange={change} />
      ) : (
        <>
          {transfer && <OpenTransfer transfer={transfer} onBack={() => address.follow(transfer)} />}
          {dues.every((due) => due.status === "SCHEDULED") && <Note title={t.nothing}>{t.nothingText}</Note>}
          {first && asked && asked > first.period && <Note>{t.olderFirst(first.label)}</Note>}
          <PayForm
            sub={sub}
            dues={dues}
            order={order}
            balance={balance}
            fault={paying.fault ?? rail.fault}
            sent={paying.open ? paying : rail}
            busy={paying.state === "sending" || rail.state === "sending" || rail.quoting}
            onPay={pay}
          />
        </>
      )}
    </Stack>
  );
}

const settled = ({ state }: Remote<unknown>) => state === "ready" || state === "failed";

function useMeans() {
  const { remote: balances } = useRead(balancesSource);
  const { remote: open } = useRead(openPaymentsSource);
  return {
    known: settled(balances) && settled(open),
    balance: balances.state === "ready" ? balances.value.balance : undefined,
    open: open.state === "ready" ? open.value : [],
  };
}

function Page({ sub, groupName }: { sub: SubAccount; groupName: string }) {
  const address = useAddress();
  const { known, balance, open } = useMeans();
  const isHere = ({ subAccountId }: PaymentStart) => subAccountId === sub.id;
  const dueOf = ({ monthId }: PaymentStart) =>
    monthId ? sub.dues.find((due) => due.monthId === monthId && due.outstanding > 0) : undefined;
  if (address.reference) {
    return (
      <Followed
        key={address.reference}
        reference={address.reference}
        what={(payment) => isHere(payment) && <What sub={sub} groupName={groupName} due={dueOf(payment)} />}
        waiting={(payment) => `${whenItComes(payment, isHere(payment) ? t.waiting : undefined)} ${t.anotherHelp}`}
        done={(payment) => (
          <Arrived payment={payment} name={isHere(payment) ? sub.name : undefined}>
            {toGroup(sub, true)}
          </Arrived>
        )}
        onAnother={address.startAnother}
      />
    );
  }
  if (!known) return <FormSkeleton />;
  const transfer = transferInto(sub, open, address.query.get("period") ?? undefined);
  return <Paying sub={sub} groupName={groupName} balance={balance} transfer={transfer} address={address} />;
}

export function SubAccountPayment() {
  const [query] = useSearchParams();
  const groupId = query.get("groupId") ?? "";
  const subAccountId = query.get("subAccountId") ?? "";
  const { remote: list, load } = useRead(groupId ? subAccountsSource(groupId) : undefined);
  const missing = (
    <Note tone="warning">
      {t.missing}
      <Box mt="3">
        <LinkButton to={paths.dashboard} size="sm" variant="outline">
          Dashboard
        </LinkButton>
      </Box>
    </Note>
  );
  return (
    <Box maxWidth="narrow">
      <title>Payment · Adashi</title>
      <PageHead title={t.title} />
      <Card>
        {!groupId || !subAccountId ? (
          missing
        ) : (
          <Loaded remote={list} skeleton={<FormSkeleton />} onRetry={load}>
            {({ SubAccounts, groupName }) => {
              const sub = SubAccounts.find(({ id }) => id === subAccountId);
              return sub ? <Page key={sub.id} sub={sub} groupName={groupName} /> : missing;
            }}
          </Loaded>
        )}
      </Card>
    </Box>
  );
}
