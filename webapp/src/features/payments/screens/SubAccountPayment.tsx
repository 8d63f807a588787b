import { Box, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Due, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { formatNaira } from "@/lib/money";
import { channelWords } from "@/lib/texts/money";
import { paymentTexts as t } from "@/lib/texts/payments";
import { useStore } from "@/store/store";
import { useRemote } from "@/store/useRemote";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/Naira";
import { OutcomeNote } from "@/ui/OutcomeNote";
import { FormSkeleton } from "@/ui/Skeletons";
import { Receipt, ThroughRail } from "../parts/Outcomes";
import { PayForm, payable } from "../parts/PayForm";
import { type Order, usePaying } from "../parts/usePaying";

interface ConfirmProps {
  sub: SubAccount;
  groupName: string;
  order: Order;
  due: Due | undefined;
  paying: ReturnType<typeof usePaying>;
  onChange: () => void;
}

function Confirm({ sub, groupName, order, due, paying, onChange }: ConfirmProps) {
  const { state, fault, pay, again } = paying;
  return (
    <Stack gap="5">
      <Facts
        rows={[
          [t.amount, <Naira key="amount" amount={order.amount} />],
          [t.to, `${sub.name}, ${groupName}`],
          ...(due ? [[t.forWhat, due.label] as [string, string]] : []),
          [t.from, order.method === "WALLET" ? t.wallet : channelWords[order.method]],
        ]}
      />
      <OutcomeNote fault={fault} checking={state === "sending"} onAgain={again} />
      {state !== "unknown" && (
        <Stack gap="3">
          <Button size="lg" fullWidth loading={state === "sending"} onClick={() => pay(order)}>
            {order.method === "WALLET" ? t.pay(formatNaira(order.amount)) : t.next}
          </Button>
          <Button variant="ghost" fullWidth disabled={state === "sending"} onClick={onChange}>
            {t.change}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

function Paying({ sub, groupName, period }: { sub: SubAccount; groupName: string; period: string | null }) {
  const [dues] = useState(() => payable(sub));
  const first = dues.find((due) => due.period === period) ?? dues[0];
  const [chosen, setChosen] = useState<{ order: Order; due: Due | undefined }>();
  const [reviewing, setReviewing] = useState(false);
  const paying = usePaying(`pay:${sub.id}:${chosen?.due?.period ?? first?.period ?? "ahead"}`);
  const { outcome, fault } = paying;

  if (outcome && "receipt" in outcome) return <Receipt receipt={outcome.receipt} sub={sub} />;
  if (outcome) return <ThroughRail started={outcome.started} sub={sub} />;
  if (reviewing && chosen) {
    const change = () => {
      setReviewing(false);
      if (fault?.field !== "amount") paying.clearFault();
    };
    return <Confirm sub={sub} groupName={groupName} {...chosen} paying={paying} onChange={change} />;
  }
  return (
    <Stack gap="6">
      {dues.every((due) => due.status === "SCHEDULED") && <Note title={t.nothing}>{t.nothingText}</Note>}
      <PayForm
        sub={sub}
        dues={dues}
        first={chosen?.due ?? first}
        order={chosen?.order}
        amountFault={fault?.field === "amount" ? fault.text : undefined}
        onReview={(order, due) => {
          paying.clearFault();
          setChosen({ order, due });
          setReviewing(true);
        }}
      />
    </Stack>
  );
}

export function SubAccountPayment() {
  const [query] = useSearchParams();
  const groupId = query.get("groupId") ?? "";
  const subAccountId = query.get("subAccountId") ?? "";
  const loadSubAccounts = useStore((state) => state.loadSubAccounts);
  const load = async () => {
    if (groupId) await loadSubAccounts(groupId);
  };
  const list = useRemote((state) => state.subAccountsOf[groupId], load, groupId);
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
    <Box maxWidth="34rem" mx="auto">
      <title>Payment · Adashi</title>
      <PageHead title={t.title} />
      <Card>
        {!groupId || !subAccountId ? (
          missing
        ) : (
          <Loaded remote={list} skeleton={<FormSkeleton />} onRetry={load}>
            {({ SubAccounts, groupName }) => {
              const sub = SubAccounts.find(({ id }) => id === subAccountId);
              return sub ? (
                <Paying key={sub.id} sub={sub} groupName={groupName} period={query.get("period")} />
              ) : (
                missing
              );
            }}
          </Loaded>
        )}
      </Card>
    </Box>
  );
}
