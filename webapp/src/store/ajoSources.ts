import { getAjoCard, getAjoCards, getAjoRound } from "@/api/ajoCards";
import {
  getAjo,
  getAjoContributions,
  getAjoDues,
  getAjoHistory,
  getAjoPayout,
  getAvailableAjos,
  getUserAjos,
} from "@/api/ajos";
import type { Source } from "./source";

export const ofAjo = { area: "ajo", topics: ["ajo"] } as const;

const source = <T>(of: Source<T>) => of;
const list = <T, K extends keyof T>(of: Source<T> & { rows: K }) => of;

export const availableAjosSource = (q = "") =>
  source({ ...ofAjo, key: `ajos:${q}`, read: () => getAvailableAjos(q || undefined) });

export const myAjosSource = source({
  ...ofAjo,
  key: "myAjos",
  shared: true,
  kept: true,
  read: ({ me }) => getUserAjos(me.id),
});

export const ajoSource = (id: string) =>
  source({ ...ofAjo, key: `ajo:${id}`, shared: true, kept: true, read: () => getAjo(id) });

export const ajoContributionsSource = (id: string) =>
  source({ ...ofAjo, key: `ajoContributions:${id}`, read: () => getAjoContributions(id) });

export const ajoPayoutSource = (id: string, cycle: number) =>
  source({ ...ofAjo, key: `ajoPayout:${id}:${cycle}`, read: () => getAjoPayout(id, cycle) });

export const ajoDuesSource = source({ ...ofAjo, key: "ajoDues", shared: true, kept: true, read: getAjoDues });

/** Without an ajo, one's own payments of all. */
export const ajoHistorySource = (ajoId?: string) =>
  list({
    ...ofAjo,
    key: `ajoHistory:${ajoId ?? ""}`,
    rows: "items",
    read: ({ before }) => getAjoHistory(ajoId, before),
  });

export const ajoCardsSource = source({ ...ofAjo, key: "ajoCards", shared: true, kept: true, read: getAjoCards });

export const ajoCardSource = (id: string) => source({ ...ofAjo, key: `ajoCard:${id}`, read: () => getAjoCard(id) });

export const ajoRoundSource = source({ ...ofAjo, key: "ajoRound", read: getAjoRound });
