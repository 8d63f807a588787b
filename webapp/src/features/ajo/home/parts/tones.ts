export const tones = {
  OPEN: "brand",
  ORDERING: "warning",
  ACTIVE: "success",
  PAUSED: "warning",
  COMPLETED: "neutral",
  CANCELLED: "neutral",
  TERMINATED: "danger",
} as const;
