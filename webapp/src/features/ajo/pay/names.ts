interface Due {
  ajoId: string;
  /** None of a deposit. */
  cycle?: number;
  seat?: number;
}

/** What a due or deposit is called wherever it is paid from the wallet, so that two screens do not pay it twice. */
export const dueName = ({ ajoId, cycle, seat }: Due) => `payAjo:${ajoId}:${cycle ?? "deposit"}:${seat ?? ""}`;
