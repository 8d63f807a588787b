import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { Due, SubAccount } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { amountText, formatKobo, parseAmount, toKobo, toNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { amountFaults } from "@/lib/texts/money";
import { cardsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Choice, type ChoiceOption } from "@/ui/form/Choice";
import { AmountField } from "@/ui/form/fields";
import { BankIcon, CardIcon, WalletIcon } from "@/ui/icons";
import { CardChoice, type ChosenCard } from "@/ui/money/CardChoice";
import { Naira } from "@/ui/money/Naira";
import { type Fault, OutcomeNote, type Sent } from "@/ui/money/OutcomeNote";
import { PayButton } from "@/ui/offline/PayButton";
import { paymentTexts as t } from "../texts";
import { sumOf } from "./dues";
import { PayBar } from "./PayBar";
import type { Method, Order } from "./usePaying";

export function methods(balance: number | undefined): ChoiceOption<Method>[] {
  const has = balance !== undefined && (
    <>
      {t.walletHas} <Naira amount={balance} />
    </>
  );
  return [
    { value: "WALLET", title: t.wallet, icon: <WalletIcon />, detail: has },
    { value: "BANK_TRANSFER", title: t.bank, detail: t.bankDetail, icon: <BankIcon /> },
    { value: "CARD", title: t.card, detail: t.cardDetail, icon: <CardIcon /> },
  ];
}

interface MoreProps {
  dues: Due[];
  count: number;
  onChange: (count: number) => void;
}

/** Later months, folded away until one wants them: the oldest is paid first, so one says how far. */
function More({ dues, count, onChange }: MoreProps) {
  const [open, setOpen] = useState(count > 1);
  if (dues.length < 2) return null;
  if (!open) {
    return (
      <Button variant="link" aria-expanded={false} onClick={() => setOpen(true)} style={{ alignSelf: "flex-start" }}>
        {t.more}
      </Button>
    );
  }
  const option = (due: Due, at: number): ChoiceOption<string> => ({
    value: String(at + 1),
    title: at === 0 ? due.label : t.upTo(due.label),
    detail: t.by(shortDay(due.dueDate)),
    aside: (
      <chakra.span fontWeight="600">
        <Naira amount={sumOf(dues, at + 1)} />
      </chakra.span>
    ),
  });
  return (
    <Choice
      legend={t.moreLegend}
      name="due"
      value={String(count)}
      options={dues.map(option)}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

export function Short() {
  return (
    <Note tone="warning" title={t.walletShort}>
      <Flex mt="2">
        <LinkButton to={paths.fund} size="sm" variant="outline">
          {t.fund}
        </LinkButton>
      </Flex>
    </Note>
  );
}

interface PayFormProps {
  sub: SubAccount;
  /** The dues that may be paid, oldest first. */
  dues: Due[];
  order: Order | undefined;
  balance: number | undefined;
  fault?: Fault & { field?: string };
  sent: Sent;
  busy: boolean;
  onPay: (order: Order) => void;
}

/** How far, how much, and from where: a way that works is chosen already. */
export function PayForm({ sub, dues, order, balance, fault, sent, busy, onPay }: PayFormProps) {
  const [count, setCount] = useState(order?.count ?? 1);
  const [amount, setAmount] = useState(
    amountText(toKobo(order?.amount ?? (dues.length > 0 ? sumOf(dues, count) : sub.amountPayable))),
  );
  const [chosen, setChosen] = useState(order?.method);
  const [card, setCard] = useState<ChosenCard>({ cardId: order?.cardId, saveCard: order?.saveCard });
  const [amountFault, setAmountFault] = useState<string>();
  const { remote } = useRead(cardsSource);
  const cards = remote.state === "ready" ? remote.value : [];
  const parsed = parseAmount(amount);
  const kobo = "kobo" in parsed ? parsed.kobo : undefined;
  const holds = balance !== undefined && kobo !== undefined && toKobo(balance) >= kobo;
  const method = chosen ?? (holds ? "WALLET" : "BANK_TRANSFER");
  const short = method === "WALLET" && balance !== undefined && kobo !== undefined && !holds;
  const ofAmount = fault?.field === "amount" ? fault.text : undefined;

  const upTo = (next: number) => {
    setCount(next);
    setAmountFault(undefined);
    setAmount(amountText(toKobo(sumOf(dues, next))));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if ("fault" in parsed) return setAmountFault(amountFaults[parsed.fault]);
    const { monthId, period } = dues[0] ?? {};
    const paid = { subAccountId: sub.id, monthId, period, amount: toNaira(parsed.kobo), method, count };
    onPay(method === "CARD" ? { ...paid, ...card } : paid);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {!fault && <OutcomeNote fault={fault} sent={sent} />}
        <More dues={dues} count={count} onChange={upTo} />
        <AmountField
          label={t.amount}
          help={t.amountHelp}
          value={amount}
          error={amountFault ?? ofAmount}
          disabled={busy}
          onChange={(event) => {
            setAmountFault(undefined);
            setAmount(event.target.value);
          }}
          onBlur={(event) => setAmount(event.target.value)}
        />
        <Choice
          legend={t.method}
          name="method"
          value={method}
          options={methods(balance)}
          disabled={busy}
          onChange={setChosen}
        />
        {method === "CARD" && <CardChoice cards={cards} value={card} onChange={setCard} disabled={busy} />}
        {short && <Short />}
        {fault && !ofAmount && <OutcomeNote fault={fault} sent={sent} />}
        <PayBar>
          <PayButton type="submit" size="lg" fullWidth disabled={short} loading={busy}>
            {method === "CARD" ? t.next : kobo === undefined ? t.payNothing : t.pay(formatKobo(kobo))}
          </PayButton>
        </PayBar>
      </Stack>
    </form>
  );
}
