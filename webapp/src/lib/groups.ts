const ENDED = ["CLOSED", "REJECTED", "CANCELLED"];

/** It never runs again. */
export const hasEnded = ({ status }: { status: string }) => ENDED.includes(status);

/** It never became active. One that is closed still has officials, for what a bank sends back to it. */
export const neverRan = ({ status }: { status: string }) => status === "REJECTED" || status === "CANCELLED";
