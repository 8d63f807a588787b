import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { timeOf } from "@/lib/dates";
import { formatNaira, toKobo, toNaira } from "@/lib/money";
import { slipTexts as t } from "@/lib/texts/wallet";
import { webAddress } from "@/lib/urls";
import { AwayButton, Button } from "./Button";
import { Note } from "./bits";
import { CopyButton } from "./CopyButton";
import { Naira } from "./Naira";

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
  /** Asked at least once, and it had not arrived. */
  notYet: boolean;
  onCheck: () => void;
}

function Line({ name, value, copy }: { name: string; value: ReactNode; copy?: string }) {
  return (
    <Flex
      align="center"
      gap="3"
      minHeight="14"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: "0" }}
    >
      <Box flex="1" minWidth="0" py="2">
        <chakra.dt textStyle="small" color="fg.muted">
          {name}
        </chakra.dt>
        <chakra.dd fontWeight="600" fontSize="lg" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
          {value}
        </chakra.dd>
      </Box>
      {copy && <CopyButton value={copy} what={name.toLowerCase()} />}
    </Flex>
  );
}

function Transfer({ payment, checking, notYet, onCheck }: PaymentSlipProps) {
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
      {notYet && <Note live>{t.notYet}</Note>}
      <Button size="lg" fullWidth loading={checking} onClick={onCheck}>
        {t.sent}
      </Button>
    </Stack>
  );
}

function CardPay({ payment, checking, onCheck }: PaymentSlipProps) {
  const url = webAddress(payment.checkoutUrl);
  return (
    <Stack gap="4">
      <chakra.p textStyle="body" color="fg.muted">
        {t.cardLead}
      </chakra.p>
      {url && (
        <AwayButton href={url} size="lg" fullWidth>
          {t.pay(formatNaira(payment.total))}
        </AwayButton>
      )}
      <Button variant="ghost" fullWidth loading={checking} onClick={onCheck}>
        {t.check}
      </Button>
    </Stack>
  );
}

/** Where and how to pay a payment that was started; it can be left and come back to. */
export function PaymentSlip(props: PaymentSlipProps) {
  return (
    <Stack gap="4">
      {props.payment.channel === "CARD" ? <CardPay {...props} /> : <Transfer {...props} />}
      <chakra.p textStyle="small" color="fg.muted">
        {t.until(timeOf(props.payment.expiresAt))}
      </chakra.p>
    </Stack>
  );
}
