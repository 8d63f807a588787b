import type { DeskOf } from "@/api/audit";
import { asked, type Filters, useFilters } from "@/features/trust/audit";

export const queues = ["OLDEST", "ODD", "SAMPLE", "PAYOUTS", "AJO", "ANSWERED", "QUERIED", "DISPUTED"] as const;
export type QueueName = (typeof queues)[number];

const own = ["place"] as const;

/** The queue and the filters of the desk across groups. */
export function useDesk() {
  const of = useFilters<QueueName>({ param: "queue", lists: queues, first: "OLDEST", own });
  return { of, queue: of.list as QueueName };
}

/** What is asked of the server. */
export const askedOf = (queue: QueueName, filters: Filters): DeskOf => ({ queue, ...asked(filters) });
