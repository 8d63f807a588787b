import { Box, chakra, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { AjoDueLine, AjoDues, PaymentStart } from "@/api/schema.gen";
import {
  Arrived,
  ConfirmRail,
  Followed,
  Unknown,
  useAddress,
  useFromWallet,
  whenItComes,
} from "@/features/money/payments";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { type AjoPaymentFor, paths } from "@/lib/paths";
import { ajoDuesSource } from "@/store/ajoSources";
import { useRailPayment } from "@/store/payment/useRailPayment";
import { goesOn } from "@/store/payment/useTransfers";
import { balancesSource, openPaymentsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Done } from "@/ui/Done";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { FormSkeleton } from "@/ui/Skeletons";
import { dueName } from "../names";
import { type Order, PayForm } from "../parts/PayForm";
import { ToAjo } from "../parts/ToAjo";
import { myTexts, paymentTexts as t } from "../texts";

const numberIn = (query: URLSearchParams, name: string) =>
  query.get(name) === null ? undefined : Number(query.get(name));

/** The due that the address names; the deposit, where it names no cycle. */
export function dueOf({ dues, deposits }: AjoDues, { ajoId, cycle, seat }: AjoPaymentFor): AjoDueLine | undefined {
  return (cycle === undefined ? deposits : dues).find(
    (due) =>
      due.ajoId === ajoId &&
      due.status !== "PAID" &&
      (cycle === undefined || due.cycle === cycle) &&
      (seat === undefined || due.seat === seat),
  );
}

/** Whether a payment is for what the address names. That of a deposit has cycle 0; one address may name no seat. */
const isFor = ({ ajoId, cycle, seat }: PaymentStart, of: AjoPaymentFor) =>
  ajoId === of.ajoId && (cycle || undefined) === of.cycle && (of.seat === undefined || seat === of.seat);

function What({ due, deposit }: { due: AjoDueLine; deposit: boolean }) {
  return (
    <Box>
      <chakra.h2 textStyle="section" overflowWrap="anywhere">
        {due.ajoName}
      </chakra.h2>
      <Facts
        rows={[
          [deposit ? t.deposit : t.due, deposit ? "" : myTexts.place(due.cycle, due.seat)],
          [t.left, <Naira key="left" amount={due.amount} />],
          ["", myTexts.by(shortDay(due.due))],
        ]}
      />
    </Box>
  );
}

function OpenPayment({ payment, onBack }: { payment: PaymentStart; onBack: () => void }) {
  return (
    <Note tone="warning" title={t.open(formatNaira(payment.amount))}>
      <p>{t.openText}</p>
      <Box mt="2">
        <Button size="sm" variant="outline" onClick={onBack}>
          {t.goOn}
        </Button>
      </Box>
    </Note>
  );
}

interface PayingProps {
  due: AjoDueLine;
  of: AjoPaymentFor;
  balance: number | undefined;
  /** A payment of it that waits for its money. */
  open: PaymentStart | undefined;
  follow: (payment: PaymentStart) => void;
}

function Paying({ due: now, of, balance, open, follow }: PayingProps) {
  // What one agreed to pay stays on screen while it is paid.
  const [due] = useState(now);
  const [order, setOrder] = useState<Order>();
  const name = dueName(of);
  const payFromWallet = useStore((state) => state.payFromWallet);
  const paying = useFromWallet<number>(name, (key, amount) => payFromWallet(key, { ...of, amount }));
  const rail = useRailPayment(`${name}:rail`, name);
  const { stage } = rail;
  const started = stage.at === "started" ? stage.payment : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each payment, however the address is kept
  useEffect(() => {
    if (started) follow(started);
  }, [started?.transactionRef]);
  const change = () => {
    paying.clearFault();
    rail.back();
  };
  const pay = (next: Order) => {
    change();
    setOrder(next);
    const { method, ...paid } = next;
    if (method === "WALLET") paying.pay(next.amount);
    else if (method === "CARD") void rail.review({ ...of, ...paid, channel: method });
    else rail.begin({ ...of, ...paid, channel: method });
  };
  if (paying.receipt) {
    const { id, amount } = paying.receipt;
    return (
      <Done
        title={t.doneTitle}
        actions={
          <>
            <LinkButton to={paths.activityDetail(id)} size="lg" fullWidth>
              {t.receipt}
            </LinkButton>
            <ToAjo ajoId={of.ajoId} />
          </>
        }
      >
        {t.doneText(formatNaira(amount), due.ajoName)}
      </Done>
    );
  }
  if (started) return <FormSkeleton />;
  const unknown = [paying, rail].find(({ state }) => state === "unknown");
  return (
    <Stack gap="5">
      <What due={due} deposit={of.cycle === undefined} />
      {unknown ? (
        <Unknown order={order} by={unknown} />
      ) : order && (stage.at === "review" || stage.at === "changed") ? (
        <ConfirmRail order={order} name={due.ajoName} rail={rail} onChange={change} />
      ) : (
        <>
          {open && <OpenPayment payment={open} onBack={() => follow(open)} />}
          <PayForm
            due={due}
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

function Nothing({ ajoId }: { ajoId: string }) {
  return (
    <Stack gap="4">
      <Note title={t.nothing}>{t.nothingText}</Note>
      <ToAjo ajoId={ajoId} />
    </Stack>
  );
}

function Page({ of }: { of: AjoPaymentFor }) {
  const address = useAddress();
  const { remote: dues, load } = useRead(ajoDuesSource);
  const { remote: balances } = useRead(balancesSource);
  const { remote: open } = useRead(openPaymentsSource);
  const [due, setDue] = useState<AjoDueLine>();
  const found = dues.state === "ready" ? dueOf(dues.value, of) : undefined;
  // Once it is paid it is no due any more, and this page still says that it was.
  if (found && !due) setDue(found);
  const transfer = open.state === "ready" ? open.value.find((one) => isFor(one, of) && goesOn(one)) : undefined;
  if (address.reference) {
    return (
      <Followed
        key={address.reference}
        reference={address.reference}
        waiting={(payment) => whenItComes(payment, isFor(payment, of) ? t.waiting : undefined)}
        done={(payment) => (
          <Arrived payment={payment} name={isFor(payment, of) ? due?.ajoName : undefined}>
            <ToAjo ajoId={of.ajoId} />
          </Arrived>
        )}
        onAnother={address.startAnother}
      />
    );
  }
  return (
    <Loaded remote={dues} skeleton={<FormSkeleton />} onRetry={load}>
      {() =>
        due ? (
          <Paying
            due={due}
            of={{ ...of, seat: of.seat ?? due.seat }}
            balance={balances.state === "ready" ? balances.value.balance : undefined}
            open={transfer}
            follow={address.follow}
          />
        ) : (
          <Nothing ajoId={of.ajoId} />
        )
      }
    </Loaded>
  );
}

/** Pays a due or a deposit from the wallet, by transfer or by card. */
export function AjoPayment() {
  const [query] = useSearchParams();
  const ajoId = query.get("ajoId") ?? "";
  const of = { ajoId, cycle: numberIn(query, "cycle"), seat: numberIn(query, "seat") };
  return (
    <Box maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} />
      <Card>
        {ajoId ? (
          <Page key={`${of.cycle}:${of.seat}`} of={of} />
        ) : (
          <Note tone="warning">
            {t.missing}
            <Box mt="3">
              <LinkButton to={paths.myAjo} size="sm" variant="outline">
                {t.mine}
              </LinkButton>
            </Box>
          </Note>
        )}
      </Card>
    </Box>
  );
}
