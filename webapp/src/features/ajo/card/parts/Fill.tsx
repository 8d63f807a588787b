import { Box, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { fillAjoCard } from "@/api/ajoCards";
import type { AjoCard } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { useStore } from "@/store/store";
import { useAjoPayment } from "@/store/useCommand";
import { SelectField } from "@/ui/form/fields";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { PayButton } from "@/ui/offline/PayButton";
import { cardTexts as t } from "../texts";

/**
 * Fills boxes from the wallet. The card alone names the deed, and not how many boxes are filled: that changes by the
 * very try whose answer was lost.
 */
export function Fill({ card }: { card: AjoCard }) {
  const userId = useStore((state) => state.session?.id ?? "");
  const [boxes, setBoxes] = useState(1);
  const { id, amount, filled } = card;
  const { sent, pay } = useAjoPayment(`fillCard:${id}`, (key: string, count: number) =>
    fillAjoCard(key, id, count, userId),
  );
  const free = card.boxes - filled;
  if (card.status !== "OPEN" || free === 0) return null;
  const count = Math.min(boxes, free);
  return (
    <Stack gap="4" mt="5">
      <OutcomeNote fault={undefined} sent={sent} />
      <Flex gap="3" align="flex-end" wrap="wrap">
        <Box width="9rem">
          <SelectField label={t.fillHow} value={count} onChange={(event) => setBoxes(Number(event.target.value))}>
            {Array.from({ length: free }, (_, at) => at + 1).map((many) => (
              <option key={many} value={many}>
                {many === 1 ? t.fillOne : t.fillMany(many)}
              </option>
            ))}
          </SelectField>
        </Box>
        <PayButton
          disabled={sent.state === "unknown"}
          loading={sent.state === "sending"}
          onClick={() => void pay(count)}
        >
          {t.fillNow(formatNaira(amount * count))}
        </PayButton>
      </Flex>
    </Stack>
  );
}
