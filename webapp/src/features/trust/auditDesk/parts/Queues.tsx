import { chakra } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import type { AuditDesk } from "@/api/schema.gen";
import { auditDeskTexts as t } from "../texts";
import { type QueueName, queues } from "./useDesk";

interface QueuesProps {
  current: QueueName;
  counts: AuditDesk["queues"];
  onChoose: (queue: QueueName) => void;
}

/** The queues with how much waits in each. */
export function Queues({ current, counts, onChoose }: QueuesProps) {
  const nav = useRef<HTMLElement>(null);
  // On a phone not all of them have room.
  useEffect(() => {
    nav.current?.querySelector(`[data-queue=${current}]`)?.scrollIntoView?.({ inline: "center", block: "nearest" });
  }, [current]);
  return (
    <chakra.nav ref={nav} aria-label={t.queuesLabel} overflowX="auto">
      <chakra.ul listStyleType="none" display="flex" gap="1" borderBottomWidth="1px" borderColor="border">
        {queues.map((queue) => (
          <li key={queue}>
            <chakra.button
              type="button"
              data-queue={queue}
              aria-current={queue === current ? "page" : undefined}
              onClick={() => onChoose(queue)}
              minHeight="11"
              px="4"
              whiteSpace="nowrap"
              fontSize="sm"
              fontWeight="600"
              cursor="pointer"
              borderBottomWidth="3px"
              borderColor={queue === current ? "brand" : "transparent"}
              color={queue === current ? "fg.brand" : "fg"}
              _focusVisible={{ outlineOffset: "-3px" }}
            >
              {t.counted(t.queues[queue], counts.find((one) => one.queue === queue)?.count)}
            </chakra.button>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}
