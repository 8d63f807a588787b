import { chakra, Stack } from "@chakra-ui/react";
import { Facts } from "@/ui/bits";
import { PayButton } from "@/ui/offline/PayButton";
import { Naira } from "./Naira";

interface ChargeReviewProps {
  payment: { amount: number; extraCharges: number; total: number };
  words: { lead: string; amount: string; charge: string; noCharge: string; total: string; agree: string };
  busy?: boolean;
  onAgree: () => void;
}

/** Amount, charge and total, said before anybody agrees to anything. */
export function ChargeReview({ payment, words, busy = false, onAgree }: ChargeReviewProps) {
  return (
    <Stack gap="5">
      <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
        <Facts
          rows={[
            [words.amount, <Naira key="amount" amount={payment.amount} />],
            [
              words.charge,
              payment.extraCharges === 0 ? words.noCharge : <Naira key="charge" amount={payment.extraCharges} />,
            ],
            [
              words.total,
              <chakra.span key="total" fontSize="xl" data-you-pay>
                <Naira amount={payment.total} />
              </chakra.span>,
            ],
          ]}
        />
      </chakra.div>
      <chakra.p textStyle="body" color="fg.muted">
        {words.lead}
      </chakra.p>
      <PayButton size="lg" fullWidth loading={busy} onClick={onAgree}>
        {words.agree}
      </PayButton>
    </Stack>
  );
}
