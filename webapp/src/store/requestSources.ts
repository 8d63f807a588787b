import { getLiquidation } from "@/api/liquidations";
import type { Liquidation } from "@/api/schema.gen";
import type { Source } from "./source";
import { ofGroup } from "./sources";

/** A request for a group's money; of a group that is not known yet it is read once. */
export const requestSource = (id: string, groupId?: string): Source<Liquidation> => ({
  ...(groupId ? ofGroup(groupId) : { area: "savings" }),
  key: `request:${id}`,
  read: () => getLiquidation(id),
});
