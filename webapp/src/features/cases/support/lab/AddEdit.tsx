import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Case, LabEdit } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { formatNaira, parseAmount, toNaira } from "@/lib/money";
import { present } from "@/lib/present";
import { amountFaults } from "@/lib/texts/money";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Choice } from "@/ui/form/Choice";
import { AmountField, SelectField, TextField } from "@/ui/form/fields";
import type { Named } from "../parts/useNamed";
import { labTexts as t } from "../texts";

type Kind = LabEdit["kind"];
const kinds: Kind[] = ["PAID", "ABSENT", "MOVED", "AMOUNT"];

/** A due of the ajo as its choice in a list names it. */
const dueKey = ({ cycle, seat }: AjoDue) => `${cycle} ${seat}`;

type AjoDue = NonNullable<Case["ajoDues"]>[number];

/** What somebody types is Lagos time, which is an hour ahead of UTC all the year. */
const instant = (local: string) => (local ? new Date(`${local}+01:00`) : undefined);

interface AjoDueFieldProps {
  dues: AjoDue[];
  value: string;
  onChange: (key: string) => void;
}

/** Which due of the ajo the money paid, if any. */
function AjoDueField({ dues, value, onChange }: AjoDueFieldProps) {
  return (
    <SelectField label={t.ajoDue} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t.noAjoDue}</option>
      {dues.map((one) => (
        <option key={dueKey(one)} value={dueKey(one)}>
          {t.ajoDueOf(one.cycle, one.seat, formatNaira(one.amount), shortDay(one.day))}
        </option>
      ))}
    </SelectField>
  );
}

interface AddEditProps {
  kase: Case;
  tried: Named["tried"];
  onAdd: (edit: LabEdit) => void;
}

function Fields({ kind, kase, tried, onAdd }: AddEditProps & { kind: Kind }) {
  const subs = kase.subAccounts ?? [];
  const dues = kase.ajoDues ?? [];
  const [due, setDue] = useState("");
  const [sub, setSub] = useState(kase.subAccountId ?? subs[0]?.id ?? "");
  const [event, setEvent] = useState(String(tried.at(-1)?.position ?? ""));
  const [amount, setAmount] = useState(kase.amount ? String(kase.amount) : "");
  const [at, setAt] = useState("");
  const [fault, setFault] = useState<{ amount?: string; at?: string }>({});
  if (kind !== "PAID" && tried.length === 0) return <Note>{t.noEvent}</Note>;
  const needs = { amount: kind === "PAID" || kind === "AMOUNT", at: kind === "PAID" || kind === "MOVED" };
  const chosen = dues.find((one) => dueKey(one) === due);
  const paid = chosen ? { cycle: chosen.cycle, seat: chosen.seat } : { subAccountId: sub || undefined };
  const choose = (key: string) => {
    setDue(key);
    const next = dues.find((one) => dueKey(one) === key);
    if (next) setAmount(String(next.amount));
  };
  const add = () => {
    const parsed = parseAmount(amount);
    const when = instant(at);
    const wrong = {
      amount: needs.amount && !("kobo" in parsed) ? amountFaults[parsed.fault] : undefined,
      at: needs.at && (!when || when > present()) ? t.atFault : undefined,
    };
    setFault(wrong);
    if (wrong.amount || wrong.at) return;
    onAdd({
      kind,
      ...(kind === "PAID" ? paid : { position: Number(event) }),
      ...(needs.amount && "kobo" in parsed ? { amount: toNaira(parsed.kobo) } : {}),
      ...(needs.at ? { at: when?.toISOString() } : {}),
    });
  };
  return (
    <Stack gap="4">
      {kind !== "PAID" && (
        <SelectField label={t.event} value={event} onChange={({ target }) => setEvent(target.value)}>
          {tried.map(({ position, title, effectiveAt }) => (
            <option key={position} value={position}>
              {t.eventOf(title, moment(effectiveAt))}
            </option>
          ))}
        </SelectField>
      )}
      {needs.amount && (
        <AmountField
          label={t.amount}
          value={amount}
          error={fault.amount}
          onChange={({ target }) => setAmount(target.value)}
        />
      )}
      {needs.at && (
        <TextField
          label={t.at}
          type="datetime-local"
          value={at}
          error={fault.at}
          onChange={({ target }) => setAt(target.value)}
        />
      )}
      {kind === "PAID" && subs.length > 0 && (
        <SelectField label={t.sub} value={sub} onChange={({ target }) => setSub(target.value)}>
          {subs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="">{t.noSub}</option>
        </SelectField>
      )}
      {kind === "PAID" && dues.length > 0 && <AjoDueField dues={dues} value={due} onChange={choose} />}
      <Flex>
        <Button variant="outline" onClick={add}>
          {t.add}
        </Button>
      </Flex>
    </Stack>
  );
}

/** Says what should have been otherwise. */
export function AddEdit(props: AddEditProps) {
  const [kind, setKind] = useState<Kind>("PAID");
  return (
    <chakra.div maxWidth="34rem">
      <Choice
        legend={t.what}
        name="edit"
        value={kind}
        options={kinds.map((value) => ({ value, ...t.kinds[value] }))}
        onChange={setKind}
      />
      <chakra.div mt="4">
        <Fields key={`${kind} ${props.tried.length}`} kind={kind} {...props} />
      </chakra.div>
    </chakra.div>
  );
}
