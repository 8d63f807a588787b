import { Box, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { fillAjoCard } from "@/api/ajoCards";
import type { AjoSavingsCard } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { useStore } from "@/store/store";
import { useAjoDeeds } from "@/store/useDeeds";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/form/fields";
import { cardTexts as t } from "../texts";

/** Fills boxes from the wallet. Those already filled are in the deed's name: the next box is another deed. */
export function Fill({ card }: { card: AjoSavingsCard }) {
  const userId = useStore((state) => state.session?.id ?? "");
  const { busy, act } = useAjoDeeds();
  const [boxes, setBoxes] = useState(1);
  const { id, amount, filled } = card;
  const free = card.boxes - filled;
  if (card.status !== "OPEN" || free === 0) return null;
  const count = Math.min(boxes, free);
  const fill = () => act(`fillCard:${id}:${filled}:${count}`, (key) => fillAjoCard(key, id, count, userId));
  return (
    <Flex gap="3" align="flex-end" wrap="wrap" mt="5">
      <Box width="9rem">
        <SelectField label={t.fillHow} value={count} onChange={(event) => setBoxes(Number(event.target.value))}>
          {Array.from({ length: free }, (_, at) => at + 1).map((many) => (
            <option key={many} value={many}>
              {many === 1 ? t.fillOne : t.fillMany(many)}
            </option>
          ))}
        </SelectField>
      </Box>
      <Button loading={busy !== undefined} onClick={() => void fill()}>
        {t.fillNow(formatNaira(amount * count))}
      </Button>
    </Flex>
  );
}
