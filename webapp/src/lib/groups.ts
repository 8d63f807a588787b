const ENDED = ["CLOSED", "REJECTED", "CANCELLED"];

/** It never runs again. */
export const hasEnded = ({ status }: { status: string }) => ENDED.includes(status);
