import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { Due, SubAccount } from "@/api/types";
import { paths } from "@/app/paths";
import { shortDay } from "@/lib/dates";
import { amountText, parseAmount, toKobo, toNaira } from "@/lib/money";
import { amountFaults, dueWords } from "@/lib/texts/money";
import { paymentTexts as t } from "@/lib/texts/payments";
import { useStore } from "@/store/store";
import { useCards } from "@/store/useCards";
import { useRemote } from "@/store/useRemote";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { CardChoice, type ChosenCard } from "@/ui/CardChoice";
import { Choice, type ChoiceOption } from "@/ui/Choice";
import { AmountField } from "@/ui/fields";
import { BankIcon, CardIcon, WalletIcon } from "@/ui/icons";
import { Naira } from "@/ui/Naira";
import type { Method, Order } from "./usePaying";

const AHEAD = 3;

/**
 * What can be paid now: all that is open, and the next few to come. A payment names a month and settles that month's
 * oldest due, so of several dues in one month (weekly ones) just the first is offered.
 */
export function payable(sub: SubAccount): Due[] {
  const open = sub.dues.filter((due) => due.status === "DUE" || due.status === "PARTIAL" || due.status === "OVERDUE");
  const coming = sub.dues.filter((due) => due.status === "SCHEDULED");
  const ofMonth = (due: Due) => `${due.period.slice(0, 4)}-${due.monthId}`;
  const offered = [...open, ...coming].filter(
    (due, at, all) => all.findIndex((one) => ofMonth(one) === ofMonth(due)) === at,
  );
  const openMonths = offered.filter((due) => due.status !== "SCHEDULED").length;
  return offered.slice(0, openMonths + AHEAD);
}

function useBalance(): number | undefined {
  const load = useStore((state) => state.loadBalances);
  const balances = useRemote((state) => state.balances, load);
  return balances.state === "ready" ? balances.value.balance : undefined;
}

function methods(balance: number | undefined): ChoiceOption<Method>[] {
  return [
    {
      value: "WALLET",
      title: t.wallet,
      icon: <WalletIcon />,
      detail:
        balance === undefined ? undefined : (
          <>
            {t.walletHas} <Naira amount={balance} />
          </>
        ),
    },
    { value: "BANK_TRANSFER", title: t.bank, detail: t.bankDetail, icon: <BankIcon /> },
    { value: "CARD", title: t.card, detail: t.cardDetail, icon: <CardIcon /> },
  ];
}

const dueOption = (due: Due): ChoiceOption<string> => ({
  value: due.period,
  title: due.label,
  detail: `${dueWords[due.status]} · ${shortDay(due.dueDate)}`,
  aside: (
    <chakra.span fontWeight="600">
      <Naira amount={due.outstanding} />
    </chakra.span>
  ),
});

interface PayFormProps {
  sub: SubAccount;
  dues: Due[];
  first: Due | undefined;
  order: Order | undefined;
  amountFault?: string;
  onReview: (order: Order, due: Due | undefined) => void;
}

/** Which due, how much, and from where. */
export function PayForm({ sub, dues, first, order, amountFault, onReview }: PayFormProps) {
  const balance = useBalance();
  const [period, setPeriod] = useState(first?.period);
  const [method, setMethod] = useState<Method>(order?.method ?? "WALLET");
  const [card, setCard] = useState<ChosenCard>({ cardId: order?.cardId, saveCard: order?.saveCard });
  const cards = useCards();
  const due = dues.find((one) => one.period === period);
  const [amount, setAmount] = useState(amountText(toKobo(order?.amount ?? first?.outstanding ?? sub.amountPayable)));
  const [fault, setFault] = useState<string | undefined>(amountFault);
  const parsed = parseAmount(amount);
  const short = method === "WALLET" && balance !== undefined && "kobo" in parsed && parsed.kobo > toKobo(balance);

  const choose = (next: string) => {
    setPeriod(next);
    const chosen = dues.find((one) => one.period === next);
    if (chosen) setAmount(amountText(toKobo(chosen.outstanding)));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if ("fault" in parsed) setFault(amountFaults[parsed.fault]);
    else {
      const paid = { subAccountId: sub.id, monthId: due?.monthId, amount: toNaira(parsed.kobo), method };
      onReview(method === "CARD" ? { ...paid, ...card } : paid, due);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="6">
        {dues.length > 0 && (
          <Choice legend={t.due} name="due" value={period} options={dues.map(dueOption)} onChange={choose} />
        )}
        <AmountField
          label={t.amount}
          help={t.amountHelp}
          value={amount}
          error={fault}
          onChange={(event) => setAmount(event.target.value)}
          onBlur={(event) => setAmount(event.target.value)}
        />
        <Choice legend={t.method} name="method" value={method} options={methods(balance)} onChange={setMethod} />
        {method === "CARD" && <CardChoice cards={cards} value={card} onChange={setCard} />}
        {short && (
          <Note tone="warning" title={t.walletShort}>
            <Flex mt="2">
              <LinkButton to={paths.fund} size="sm" variant="outline">
                {t.fund}
              </LinkButton>
            </Flex>
          </Note>
        )}
        <Button type="submit" size="lg" fullWidth disabled={short}>
          {t.review}
        </Button>
      </Stack>
    </form>
  );
}
