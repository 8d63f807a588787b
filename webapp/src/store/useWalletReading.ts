import { useEffect, useRef } from "react";
import type { Answer } from "@/api/client";
import { walletFailureText } from "@/api/failure";
import { useStore } from "./store";
import { useReading } from "./useReading";

/** What one screen alone reads of the wallet: read again whenever the wallet is said to have moved. */
export function useWalletReading<T>(read: () => Promise<Answer<T>>, key = "") {
  const reading = useReading(read, { key, text: walletFailureText });
  const { load } = reading;
  const tick = useStore((state) => state.walletTick);
  const seen = useRef(tick);
  useEffect(() => {
    if (seen.current === tick) return;
    seen.current = tick;
    void load();
  }, [tick, load]);
  return reading;
}
