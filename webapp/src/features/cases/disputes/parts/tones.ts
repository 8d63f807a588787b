import type { DisputeRow, DisputeStatus } from "@/api/schema.gen";
import { bankStatusTexts, statusTexts } from "../texts";

export const statusTones = {
  OPEN: "brand",
  INVESTIGATING: "brand",
  INFO_REQUESTED: "warning",
  RESOLVED_UPHELD: "success",
  RESOLVED_REJECTED: "neutral",
  REOPENED: "brand",
  WITHDRAWN: "neutral",
} as const satisfies Record<DisputeStatus, string>;

/** Where a dispute stands: what the bank of a card has, that bank ends. */
export const standing = (
  { kind, status }: Pick<DisputeRow, "kind" | "status">,
  texts: Record<DisputeStatus, string> = statusTexts,
) =>
  kind === "CARD" && status in bankStatusTexts
    ? bankStatusTexts[status as keyof typeof bankStatusTexts]
    : texts[status];
