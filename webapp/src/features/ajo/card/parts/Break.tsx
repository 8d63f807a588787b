import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { breakAjoCard } from "@/api/ajoCards";
import type { AjoCard } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { useStore } from "@/store/store";
import { useAjoPayments } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Naira } from "@/ui/money/Naira";
import { cardTexts as t } from "../texts";

/** Before its last day, for a charge that is said first. */
export function Break({ card }: { card: AjoCard }) {
  const userId = useStore((state) => state.session?.id ?? "");
  const { act } = useAjoPayments();
  const [asking, setAsking] = useState(false);
  const { id, holds, breakFee, breakNet, commissionNow } = card;
  if (card.status !== "OPEN" || holds === 0) return null;
  const go = async () =>
    (await act(`breakCard:${id}`, (key) => breakAjoCard(key, id, breakNet, userId), breakNet)) !== undefined;
  return (
    <Card title={t.break}>
      <Stack gap="4" align="flex-start">
        <chakra.p color="fg.muted">{t.breakText}</chakra.p>
        <Button variant="outline" onClick={() => setAsking(true)}>
          {t.break}
        </Button>
      </Stack>
      <Confirm
        open={asking}
        title={t.breakTitle}
        yes={t.breakYes(formatNaira(breakNet))}
        no={t.keep}
        danger
        onClose={() => setAsking(false)}
        onYes={go}
      >
        <Facts
          rows={[
            [t.breakHolds, <Naira key="holds" amount={holds} />],
            [t.breakFee, <Naira key="fee" amount={breakFee} />],
            ...(commissionNow > 0
              ? [[t.breakCommission, <Naira key="commission" amount={commissionNow} />] as [string, React.ReactNode]]
              : []),
            [t.breakNet, <Naira key="net" amount={breakNet} />],
          ]}
        />
      </Confirm>
    </Card>
  );
}
