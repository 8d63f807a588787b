import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { PaymentStart } from "@/api/schema.gen";
import { timeOf } from "@/lib/dates";
import { channelWords } from "@/lib/texts/money";
import { openPaymentsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Naira } from "@/ui/money/Naira";
import { slipTexts } from "@/ui/money/texts";
import { walletTexts } from "../texts";

/** Payments that were started and left; each can be gone on with. */
export function OpenPayments({ onResume }: { onResume: (payment: PaymentStart) => void }) {
  const keepPayment = useStore((state) => state.keepPayment);
  const { remote: open } = useRead(openPaymentsSource);
  if (open.state !== "ready" || open.value.length === 0) return null;
  return (
    <Card title={walletTexts.open}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {open.value.map((payment) => (
          <Flex key={payment.transactionRef} align="center" gap="3" py="3">
            <Box flex="1" minWidth="0">
              <chakra.p fontWeight="600">
                <Naira amount={payment.amount} />
              </chakra.p>
              <chakra.p textStyle="small" color="fg.muted">
                {payment.purpose ?? walletTexts.fund} · {channelWords[payment.channel]} · {timeOf(payment.dateCreated)}
              </chakra.p>
            </Box>
            <Button
              variant="outline"
              size="sm"
              aria-label={`${walletTexts.resume}: ${payment.purpose ?? walletTexts.fund}, ${slipTexts.reference} ${payment.transactionRef}`}
              onClick={() => {
                keepPayment(payment);
                onResume(payment);
              }}
            >
              {walletTexts.resume}
            </Button>
          </Flex>
        ))}
      </Stack>
    </Card>
  );
}
