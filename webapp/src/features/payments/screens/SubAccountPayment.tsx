import { Box, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Due, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { paymentTexts as t } from "@/lib/texts/payments";
import { useStore } from "@/store/store";
import { useRailPayment } from "@/store/useRailPayment";
import { useRemote } from "@/store/useRemote";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { FormSkeleton } from "@/ui/Skeletons";
import { ConfirmRail, ConfirmWallet } from "../parts/Confirm";
import { Receipt, ThroughRail } from "../parts/Outcomes";
import { PayForm, payable } from "../parts/PayForm";
import { type Order, usePaying } from "../parts/usePaying";

type Chosen = { order: Order; due: Due | undefined };

function Paying({ sub, groupName, period }: { sub: SubAccount; groupName: string; period: string | null }) {
  const [dues] = useState(() => payable(sub));
  const first = dues.find((due) => due.period === period) ?? dues[0];
  const [chosen, setChosen] = useState<Chosen>();
  const [reviewing, setReviewing] = useState(false);
  const name = `pay:${sub.id}:${chosen?.due?.period ?? first?.period ?? "ahead"}`;
  const paying = usePaying(name);
  const rail = useRailPayment(`${name}:rail`);
  const fault = paying.fault ?? rail.fault;

  const change = () => {
    setReviewing(false);
    if (paying.fault?.field !== "amount") paying.clearFault();
    rail.back();
  };
  const review = ({ order, due }: Chosen) => {
    paying.clearFault();
    setChosen({ order, due });
    setReviewing(true);
    const { method, ...rest } = order;
    if (method !== "WALLET") void rail.review({ ...rest, channel: method });
  };

  if (paying.receipt) return <Receipt receipt={paying.receipt} sub={sub} />;
  if (rail.stage.at === "started") return <ThroughRail started={rail.stage.payment} sub={sub} onAnew={change} />;
  if (reviewing && chosen) {
    const props = { sub, groupName, ...chosen, onChange: change };
    return chosen.order.method === "WALLET" ? (
      <ConfirmWallet {...props} paying={paying} />
    ) : (
      <ConfirmRail {...props} rail={rail} />
    );
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
        onReview={(order, due) => review({ order, due })}
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
