import { inPlace, lazyPart } from "@/ui/lazyPart";
import type { PartedProps } from "./parts/Parted";
import type { SeenByProps } from "./parts/SeenBy";

/** Has this device watch the ledger. */
export const Watch = lazyPart(() => import("./parts/Watch").then((m) => m.Watch), { failed: inPlace });

/** Who saw a record in the ledger. */
export const SeenBy = lazyPart<SeenByProps>(() => import("./parts/SeenBy").then((m) => m.SeenBy), { failed: inPlace });

/** That the ledger does not continue what this device saw first. */
export const Parted = lazyPart<PartedProps>(() => import("./parts/Parted").then((m) => m.Parted), { failed: inPlace });
export type { PartedProps };
