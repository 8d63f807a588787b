import { chakra } from "@chakra-ui/react";
import { until } from "@/lib/dates";
import { present } from "@/lib/present";
import { offlineTexts as t } from "./texts";

const DAY_MS = 86_400_000;

export interface AsOfProps {
  /** A time of the server in ms since 1970. */
  at: number;
  /** The ledger's position. */
  position?: number;
}

/** Of when a figure is that may be old: amber after a day. */
export function AsOf({ at, position }: AsOfProps) {
  const old = present().getTime() - at > DAY_MS;
  return (
    <chakra.p data-as-of={old ? "old" : ""} textStyle="small" mb="2" color={old ? "fg.warning" : "fg.muted"}>
      {t.asOf(until(new Date(at).toISOString()), position?.toLocaleString("en-NG"))}
    </chakra.p>
  );
}
