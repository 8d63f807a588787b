import { chakra, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { StandingFrequency, StandingOrder, SubAccount } from "@/api/schema.gen";
import { type CreateStandingOrder, createStandingOrder } from "@/api/standing";
import { lagosDay } from "@/lib/dates";
import { amountText, formatKobo, parseAmount, toKobo, toNaira } from "@/lib/money";
import { paths, type StandingFor } from "@/lib/paths";
import { amountFaults } from "@/lib/texts/money";
import { savingsTexts } from "@/lib/texts/savings";
import { succeed } from "@/store/report";
import { faultOf } from "@/store/reportMoney";
import { groupsSource, subAccountsSource } from "@/store/sources";
import { useCommand } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Choice } from "@/ui/form/Choice";
import { AmountField, SelectField, Switch, TextField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { type Fault, OutcomeNote } from "@/ui/money/OutcomeNote";
import { Modal } from "@/ui/overlays";
import { FormSkeleton } from "@/ui/Skeletons";
import { standingTexts as t } from "../texts";

const frequencies = [
  { value: "WEEKLY" as const, title: t.weekly, detail: t.weeklyDetail },
  { value: "MONTHLY" as const, title: t.monthly, detail: t.monthlyDetail },
];

type Faults = Partial<Record<"subAccountId" | "amount" | "firstDay" | "consent", string>>;

const fields = ["subAccountId", "amount", "firstDay", "consent"] as const;

function useSubAccounts(groupId: string): SubAccount[] {
  const { remote: list } = useRead(groupId ? subAccountsSource(groupId) : undefined);
  // What is paid once has nothing to repeat.
  return list.state === "ready" ? list.value.SubAccounts.filter(({ paymentType }) => paymentType !== "ONE_OFF") : [];
}

interface FormProps {
  groups: { id: string; name: string }[];
  proposed?: StandingFor;
  onCreated: () => void;
}

function useCreating(onCreated: () => void) {
  const [faults, setFaults] = useState<Faults>({});
  const [fault, setFault] = useState<Fault>();
  const { state, checking, open, run, again, pass } = useCommand<CreateStandingOrder, StandingOrder>({
    name: "standing-order",
    send: async (key, body) => {
      const { value, message } = await createStandingOrder(key, body);
      succeed(message);
      return value;
    },
  });
  const settle = async (answer: Promise<StandingOrder | undefined>) => {
    setFault(undefined);
    try {
      if (await answer) onCreated();
    } catch (error) {
      const failed = faultOf(error);
      const field = fields.find((name) => name === failed?.field);
      if (field && failed) setFaults({ [field]: failed.text });
      else setFault(failed);
    }
  };
  return {
    state,
    checking,
    open,
    pass,
    faults,
    setFaults,
    fault,
    create: (body: CreateStandingOrder) => void settle(run(body)),
    again: () => void settle(again()),
  };
}

function Form({ groups, proposed, onCreated }: FormProps) {
  const [groupId, setGroupId] = useState(proposed?.groupId ?? groups[0]?.id ?? "");
  const subs = useSubAccounts(groupId);
  const [subId, setSubId] = useState(proposed?.subAccountId ?? "");
  const sub = subs.find(({ id }) => id === subId);
  const [typed, setTyped] = useState(proposed ? amountText(toKobo(proposed.amount)) : undefined);
  const amount = typed ?? (sub ? amountText(toKobo(sub.amountPayable)) : "");
  const [frequency, setFrequency] = useState<StandingFrequency>("MONTHLY");
  const [firstDay, setFirstDay] = useState(lagosDay());
  const [consent, setConsent] = useState(false);
  const creating = useCreating(onCreated);
  const { state, faults, setFaults, fault, create } = creating;
  const parsed = parseAmount(amount);
  const locked = state === "unknown";

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found: Faults = {
      ...(sub ? {} : { subAccountId: t.chooseFault }),
      ...("fault" in parsed ? { amount: amountFaults[parsed.fault] } : {}),
      ...(firstDay < lagosDay() ? { firstDay: t.dayFault } : {}),
      ...(consent ? {} : { consent: t.consentFault }),
    };
    setFaults(found);
    if (!sub || "fault" in parsed || Object.keys(found).length > 0) return;
    create({ subAccountId: sub.id, amount: toNaira(parsed.kobo), frequency, firstDay, consent });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <SelectField label={t.group} value={groupId} disabled={locked} onChange={(e) => setGroupId(e.target.value)}>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t.sub}
          value={sub?.id ?? ""}
          error={faults.subAccountId}
          disabled={locked}
          onChange={(event) => setSubId(event.target.value)}
        >
          <option value="">{t.chooseSub}</option>
          {subs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <AmountField
          label={t.amount}
          value={amount}
          error={faults.amount}
          disabled={locked}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={(event) => setTyped(event.target.value)}
        />
        <Choice
          legend={t.frequency}
          name="frequency"
          value={frequency}
          options={frequencies}
          onChange={setFrequency}
          disabled={locked}
        />
        <TextField
          label={t.firstDay}
          type="date"
          min={lagosDay()}
          value={firstDay}
          help={t.firstDayHelp}
          error={faults.firstDay}
          disabled={locked}
          onChange={(event) => setFirstDay(event.target.value)}
        />
        <chakra.p textStyle="small" color="fg.muted">
          {t.short}
        </chakra.p>
        <Switch
          label={t.consent("kobo" in parsed ? formatKobo(parsed.kobo) : "₦…", t.every[frequency])}
          help={faults.consent}
          checked={consent}
          disabled={locked}
          onChange={(event) => setConsent(event.target.checked)}
        />
        <OutcomeNote fault={fault} sent={creating} />
        {!locked && (
          <Button type="submit" size="lg" fullWidth loading={state === "sending"}>
            {t.create}
          </Button>
        )}
      </Stack>
    </form>
  );
}

interface NewStandingOrderProps {
  open: boolean;
  proposed?: StandingFor;
  onClose: () => void;
  onCreated: () => void;
}

/** What, how much, how often and from when; nothing without consent. */
export function NewStandingOrder({ open, proposed, onClose, onCreated }: NewStandingOrderProps) {
  const { remote: groups, load } = useRead(groupsSource);
  return (
    <Modal open={open} onClose={onClose} title={t.add}>
      <Loaded remote={groups} skeleton={<FormSkeleton />} onRetry={load}>
        {(all) => {
          const mine = all.filter(({ memberStatus }) => memberStatus === "ACTIVE");
          return mine.length === 0 ? (
            <Stack gap="4" align="flex-start">
              <p>{t.noGroups}</p>
              <LinkButton to={paths.savings}>{savingsTexts.title}</LinkButton>
            </Stack>
          ) : (
            <Form groups={mine} proposed={proposed} onCreated={onCreated} />
          );
        }}
      </Loaded>
    </Modal>
  );
}
