import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { searchMoney } from "@/api/disputes";
import { asFailure, failureText } from "@/api/failure";
import type { MoneyFind } from "@/api/schema.gen";
import { lagosDay } from "@/lib/dates";
import { amountText, parseAmount, toKobo, toNaira } from "@/lib/money";
import { amountFaults } from "@/lib/texts/money";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { AmountField, TextField } from "@/ui/form/fields";
import { newTexts as t } from "../texts";
import { Finds } from "./Finds";

interface Wish {
  amount: number;
  day: string;
}

type Answer = { state: "none" | "busy" } | { state: "failed"; text: string } | { state: "found"; finds: MoneyFind[] };

interface SearchProps {
  /** What the fields begin with. */
  amount?: number;
  day?: string;
  onBack: () => void;
  /** Goes on, with what was looked for and with money that is theirs. */
  onGo: (wish: Wish, claimed?: MoneyFind) => void;
}

function useSearching() {
  const [wish, setWish] = useState<Wish>();
  const [answer, setAnswer] = useState<Answer>({ state: "none" });
  const [faults, setFaults] = useState<{ amount?: string; day?: string }>({});
  const look = async (typed: string, day: string) => {
    const parsed = parseAmount(typed);
    const wrongDay = day === "" || day > lagosDay();
    setFaults({
      amount: "fault" in parsed ? amountFaults[parsed.fault] : undefined,
      day: wrongDay ? t.dayFault : undefined,
    });
    if ("fault" in parsed || wrongDay) return;
    const wanted = { amount: toNaira(parsed.kobo), day };
    setWish(wanted);
    setAnswer({ state: "busy" });
    try {
      setAnswer({ state: "found", finds: (await searchMoney(wanted.amount, day)).value.found });
    } catch (error) {
      const failure = asFailure(error);
      if (failure.field === "amount" || failure.field === "day") {
        setFaults({ [failure.field]: failureText(failure) });
        setAnswer({ state: "none" });
      } else setAnswer({ state: "failed", text: failureText(failure) });
    }
  };
  /** What was found belongs to what was looked for. */
  const forget = () => setAnswer({ state: "none" });
  return { wish, answer, faults, look, forget };
}

/** Looks for the money before anything is opened: much of what seems lost waits somewhere. */
export function Search({ amount, day, onBack, onGo }: SearchProps) {
  const { wish, answer, faults, look, forget } = useSearching();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    void look(String(typed.get("amount") ?? ""), String(typed.get("day") ?? ""));
  };
  return (
    <Stack gap="5">
      <form onSubmit={submit} onChange={forget} noValidate>
        <Stack gap="5">
          <chakra.p color="fg.muted">{t.moneyLead}</chakra.p>
          <AmountField
            label={t.amount}
            name="amount"
            placeholder="0.00"
            error={faults.amount}
            defaultValue={amount === undefined ? undefined : amountText(toKobo(amount))}
          />
          <TextField
            label={t.day}
            name="day"
            type="date"
            max={lagosDay()}
            defaultValue={day ?? lagosDay()}
            error={faults.day}
            help={t.dayHelp}
          />
          <Flex gap="3" wrap="wrap">
            <Button variant="outline" onClick={onBack}>
              {t.back}
            </Button>
            <Button
              type="submit"
              variant={answer.state === "found" ? "outline" : "primary"}
              loading={answer.state === "busy"}
            >
              {t.search}
            </Button>
          </Flex>
        </Stack>
      </form>
      {answer.state === "failed" && (
        <Note tone="warning" title={answer.text} live>
          {t.kept}
        </Note>
      )}
      {answer.state === "found" && wish && <Finds finds={answer.finds} onGo={(claimed) => onGo(wish, claimed)} />}
    </Stack>
  );
}
