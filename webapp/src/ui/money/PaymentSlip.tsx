import { Box, chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useEffect, useState } from "react";
import { until } from "@/lib/dates";
import { formatNaira, toKobo, toNaira } from "@/lib/money";
import { present } from "@/lib/present";
import { webAddress } from "@/lib/urls";
import { AwayButton, Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { Naira } from "./Naira";
import { cardTexts, paymentStatusTexts, slipTexts as t } from "./texts";

interface PaymentSlipProps {
  payment: {
    transactionRef: string;
    channel: "BANK_TRANSFER" | "CARD";
    total: number;
    expiresAt: string;
    accountNumber?: string;
    accountName?: string;
    bankName?: string;
    checkoutUrl?: string;
  };
  checking: boolean;
  /** The answer to asking: it had not arrived, or nobody could be asked. */
  told?: "notYet" | "unasked";
  onCheck: () => void;
}

function Line({ name, value, copy }: { name: string; value: ReactNode; copy?: string }) {
  return (
    <Box
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) auto"
      columnGap="3"
      alignItems="center"
      py="2"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: "0" }}
    >
      <chakra.dt textStyle="small" color="fg.muted" gridColumn="1">
        {name}
      </chakra.dt>
      <chakra.dd
        fontWeight="600"
        fontSize="lg"
        fontVariantNumeric="tabular-nums"
        overflowWrap="anywhere"
        gridColumn="1"
      >
        {value}
      </chakra.dd>
      {copy && (
        <chakra.dd gridColumn="2" gridRow="1 / span 2">
          <CopyButton value={copy} what={name.toLowerCase()} />
        </chakra.dd>
      )}
    </Box>
  );
}

function Told({ told }: Pick<PaymentSlipProps, "told">) {
  if (!told) return null;
  return (
    <Note tone={told === "unasked" ? "warning" : "brand"} title={told === "unasked" ? t.unaskedTitle : undefined} live>
      {told === "unasked" ? t.unasked : t.notYet}
    </Note>
  );
}

function Transfer({ payment, checking, told, onCheck }: PaymentSlipProps) {
  return (
    <Stack gap="4">
      <Box>
        <chakra.p textStyle="section">{t.transferTitle(formatNaira(payment.total))}</chakra.p>
        <chakra.p textStyle="body" color="fg.muted" mt="1">
          {t.transferLead}
        </chakra.p>
      </Box>
      <chakra.dl bg="bg.muted" borderRadius="md" px="4">
        <Line name={t.bank} value={payment.bankName} />
        <Line name={t.number} value={payment.accountNumber} copy={payment.accountNumber} />
        <Line name={t.name} value={payment.accountName} />
        <Line name={t.amount} value={<Naira amount={payment.total} />} copy={String(toNaira(toKobo(payment.total)))} />
        <Line name={t.reference} value={<chakra.span fontSize="sm">{payment.transactionRef}</chakra.span>} />
      </chakra.dl>
      <Told told={told} />
      <Button size="lg" fullWidth loading={checking} onClick={onCheck}>
        {t.sent}
      </Button>
    </Stack>
  );
}

function CardPay({ payment, checking, told, onCheck }: PaymentSlipProps) {
  const url = webAddress(payment.checkoutUrl);
  return (
    <Stack gap="4">
      <chakra.p textStyle="body" color="fg.muted">
        {url ? t.cardLead : cardTexts.charging}
      </chakra.p>
      {url && (
        <AwayButton href={url} size="lg" fullWidth>
          {t.pay(formatNaira(payment.total))}
        </AwayButton>
      )}
      <Told told={told} />
      <Button variant="ghost" fullWidth loading={checking} onClick={onCheck}>
        {t.check}
      </Button>
    </Stack>
  );
}

const SECOND_MS = 1000;

/** "29:41", "1:02:09" */
function clock(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/** How long a payment stays open, second by second; screen readers ask for it when they want it. */
function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => present().getTime());
  useEffect(() => {
    const ticking = setInterval(() => setNow(present().getTime()), SECOND_MS);
    return () => clearInterval(ticking);
  }, []);
  const left = Date.parse(until) - now;
  if (left <= 0) {
    return (
      <Note tone="warning" live>
        {paymentStatusTexts.over}
      </Note>
    );
  }
  return (
    <chakra.p role="timer" textStyle="body" fontWeight="600" fontVariantNumeric="tabular-nums">
      {paymentStatusTexts.openFor(clock(left))}
    </chakra.p>
  );
}

/** Where and how to pay a payment that was started; it can be left and come back to. */
export function PaymentSlip(props: PaymentSlipProps) {
  return (
    <Stack gap="4">
      {props.payment.channel === "CARD" ? <CardPay {...props} /> : <Transfer {...props} />}
      <Countdown until={props.payment.expiresAt} />
      <chakra.p textStyle="small" color="fg.muted">
        {t.until(until(props.payment.expiresAt))}
      </chakra.p>
    </Stack>
  );
}
