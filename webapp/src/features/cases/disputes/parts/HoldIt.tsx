import { chakra, Stack } from "@chakra-ui/react";
import { amountText, formatNaira, toKobo } from "@/lib/money";
import { AmountField, Switch } from "@/ui/form/fields";
import { newTexts as t } from "../texts";
import type { Opening } from "./useOpening";

/** Whether what the member disputes of a payout that waits stays in the sub-account meanwhile. */
export function HoldIt({ holdable, opening }: { holdable: number; opening: Opening }) {
  const { draft, set, fault } = opening;
  const { hold, held } = draft;
  return (
    <chakra.div bg="bg.warning" borderRadius="md" px="4" py="3" data-hold>
      <Stack gap="4">
        <Switch
          label={t.hold}
          help={t.holdHelp}
          checked={hold}
          onChange={(event) => set({ hold: event.target.checked })}
        />
        {hold && (
          <AmountField
            label={t.held}
            help={t.heldHelp(formatNaira(holdable))}
            value={held ?? amountText(toKobo(holdable))}
            error={fault.held ? t.heldFault(formatNaira(holdable)) : undefined}
            onChange={(event) => set({ held: event.target.value })}
          />
        )}
      </Stack>
    </chakra.div>
  );
}
