import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useEffect } from "react";
import { failureText } from "@/api/failure";
import type { PaymentStart } from "@/api/schema.gen";
import { screenTexts } from "@/lib/texts/common";
import { isOpen, usePayment } from "@/store/payment/usePayment";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PaymentStatus } from "@/ui/money/PaymentStatus";
import { FormSkeleton } from "@/ui/Skeletons";
import { paymentTexts as t } from "../texts";

interface FollowedProps {
  reference: string;
  /** What it pays, while it waits for its money. */
  what?: (payment: PaymentStart) => ReactNode;
  waiting: (payment: PaymentStart) => string;
  done: (payment: PaymentStart) => ReactNode;
  /** Begins another payment, with this one left as it is. */
  onAnother: () => void;
}

/** A payment through the bank or card that was started: where to pay it, then its arrival. */
export function Followed({ reference, what, waiting, done, onAnother }: FollowedProps) {
  const { payment, checking, told, missing, check } = usePayment(reference);
  useEffect(() => {
    if (!useStore.getState().payments[reference]) void check();
  }, [reference, check]);
  if (!payment) {
    if (!told) return <FormSkeleton />;
    return (
      <Note tone={missing ? "danger" : "warning"} title={missing ? failureText(missing) : t.unread} live>
        {!missing && <p>{t.unreadText}</p>}
        <Flex gap="2" mt="3" wrap="wrap">
          {!missing && (
            <Button size="sm" loading={checking} onClick={() => void check()}>
              {screenTexts.tryAgain}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onAnother}>
            {t.another}
          </Button>
        </Flex>
      </Note>
    );
  }
  return (
    <Stack gap="4">
      {isOpen(payment) && what?.(payment)}
      <PaymentStatus
        payment={payment}
        checking={checking}
        told={told}
        onCheck={() => void check()}
        onAnew={onAnother}
        done={done(payment)}
      />
      {isOpen(payment) && (
        <Box>
          <chakra.p textStyle="small" color="fg.muted">
            {waiting(payment)}
          </chakra.p>
          <Button variant="ghost" fullWidth onClick={onAnother}>
            {t.another}
          </Button>
        </Box>
      )}
    </Stack>
  );
}
