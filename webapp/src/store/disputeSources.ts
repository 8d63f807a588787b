import { getDispute, getDisputes, getFreeze } from "@/api/disputes";
import type { Source } from "./source";

const ofDisputes = { area: "disputes", topics: ["disputes"] } as const;

const source = <T>(of: Source<T>) => of;
const list = <T, K extends keyof T>(of: Source<T> & { rows: K }) => of;

export const disputesSource = list({
  ...ofDisputes,
  key: "disputes",
  rows: "disputes",
  read: ({ before }) => getDisputes(before),
});

export const disputeSource = (id: string) =>
  source({ ...ofDisputes, key: `dispute:${id}`, read: () => getDispute(id) });

/** Whether one's own money is frozen. */
export const freezeSource = source({
  ...ofDisputes,
  key: "freeze",
  topics: ["disputes", "wallet"],
  read: getFreeze,
});
