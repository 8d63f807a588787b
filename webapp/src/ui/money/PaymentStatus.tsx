import { Flex, Stack } from "@chakra-ui/react";
import type { ComponentProps, ReactNode } from "react";
import { formatNaira } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { PayButton } from "@/ui/offline/PayButton";
import { PaymentSlip } from "./PaymentSlip";
import { returnedTexts, paymentStatusTexts as t } from "./texts";

const r = returnedTexts;

interface PaymentFaceProps extends Omit<ComponentProps<typeof PaymentSlip>, "payment"> {
  payment: ComponentProps<typeof PaymentSlip>["payment"] & {
    status: "INITIATED" | "PENDING" | "CONFIRMED" | "FAILED" | "EXPIRED" | "REVERSED";
    reason?: string;
  };
  /** Shown once the money is there. */
  done: ReactNode;
  /** Begins again after one that came to nothing. */
  onAnew?: () => void;
}

/** A payment through the bank or card as it stands: where to pay it, or how it ended. */
export function PaymentStatus({ payment, done, onAnew, ...slip }: PaymentFaceProps) {
  const anew = onAnew && (
    <Flex mt="3">
      <Button size="sm" variant="outline" onClick={onAnew}>
        {t.startAnew}
      </Button>
    </Flex>
  );
  switch (payment.status) {
    case "CONFIRMED":
      return done;
    case "FAILED":
      return (
        <Note tone="danger" title={r.failed} live>
          {payment.reason}
          {anew}
        </Note>
      );
    case "REVERSED":
      return (
        <Note tone="danger" title={r.reversed} live>
          {payment.reason ?? r.reversedText}
        </Note>
      );
    case "EXPIRED":
      return (
        <Note tone="warning" title={r.expired} live>
          {r.expiredText}
          {anew}
        </Note>
      );
    case "INITIATED":
    case "PENDING":
      return <PaymentSlip payment={payment} {...slip} />;
  }
}

interface ChangedTotalProps {
  before: number;
  now: number;
  busy: boolean;
  onAgree: () => void;
  onLeave: () => void;
}

/** The total is not what was agreed to: a choice, with nothing taken meanwhile. */
export function ChangedTotal({ before, now, busy, onAgree, onLeave }: ChangedTotalProps) {
  return (
    <Stack gap="4">
      <Note tone="warning" title={t.changedTitle} live>
        {t.changed(formatNaira(before), formatNaira(now))}
      </Note>
      <PayButton size="lg" fullWidth loading={busy} onClick={onAgree}>
        {t.agree(formatNaira(now))}
      </PayButton>
      <Button variant="outline" fullWidth disabled={busy} onClick={onLeave}>
        {t.leave}
      </Button>
    </Stack>
  );
}
