import type { DisputeStatus } from "@/api/types";

export const statusTones = {
  OPEN: "brand",
  INVESTIGATING: "brand",
  INFO_REQUESTED: "warning",
  RESOLVED_UPHELD: "success",
  RESOLVED_REJECTED: "neutral",
  REOPENED: "brand",
  WITHDRAWN: "neutral",
} as const satisfies Record<DisputeStatus, string>;
