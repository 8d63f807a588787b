import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { type AjoPay, payAjo } from "@/api/ajoActs";
import { formatNaira, toKobo } from "@/lib/money";
import { paths } from "@/lib/paths";
import { balancesSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useAjoPayments } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { type ButtonSize, type ButtonVariant, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { PayButton } from "@/ui/offline/PayButton";
import { dueName } from "../names";
import { payTexts as t } from "../texts";

type Pay = Omit<AjoPay, "userId">;

interface PayNowProps {
  ajoId: string;
  pay: Pay;
  /** What it pays for, in words: for the button's name and the question. */
  what: string;
  label?: string;
  /** The words on the button where its name says what it pays for. */
  shown?: string;
  children?: React.ReactNode;
  size?: ButtonSize;
  variant?: ButtonVariant;
}

/** What is paid; how much is not part of it, and one's own due has the name that its page pays it under. */
function nameOf(ajoId: string, { what, cycle, seat, memberId, debtId }: Pay) {
  if (what === "DUE" && !memberId) return dueName({ ajoId, cycle, seat });
  if (what === "DEPOSIT") return dueName({ ajoId, seat });
  return ["payAjo", ajoId, what, cycle, seat, memberId, debtId].join(":");
}

/** What the wallet holds, and whether that is enough. */
function Wallet({ amount }: { amount: number }) {
  const { remote } = useRead(balancesSource);
  if (remote.state !== "ready") return null;
  const { balance } = remote.value;
  if (toKobo(balance) >= toKobo(amount)) return <p>{t.has(formatNaira(balance))}</p>;
  return (
    <Note tone="warning">
      <p>{t.short}</p>
      <chakra.div mt="2">
        <LinkButton to={paths.fund} size="sm" variant="outline">
          {t.fund}
        </LinkButton>
      </chakra.div>
    </Note>
  );
}

/** Pays from the wallet, once it is meant. */
export function PayNow({ ajoId, pay, what, label, shown = t.pay, children, size, variant }: PayNowProps) {
  const userId = useStore((state) => state.session?.id ?? "");
  const [asking, setAsking] = useState(false);
  const { act } = useAjoPayments();
  const amount = formatNaira(pay.amount);
  const go = async () =>
    (await act(nameOf(ajoId, pay), (key) => payAjo(key, ajoId, { ...pay, userId }), pay)) !== undefined;
  return (
    <>
      <PayButton
        size={size}
        variant={variant}
        aria-label={label ? undefined : t.payIt(amount, what)}
        onClick={() => setAsking(true)}
      >
        {label ?? shown}
      </PayButton>
      <Confirm
        open={asking}
        title={t.title(amount)}
        yes={t.yes(amount)}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={go}
      >
        <Stack gap="3">
          <p>{what}</p>
          {children}
          <Wallet amount={pay.amount} />
        </Stack>
      </Confirm>
    </>
  );
}
