import { useState } from "react";
import type { Answer } from "@/api/client";
import { report } from "@/store/report";
import { useReading } from "@/store/useReading";

interface Page {
  next?: string;
}

/** A list of the desk, page after page; `join` lays an older page under what is there. */
export function usePages<P extends Page>(
  read: (before?: string) => Promise<Answer<P>>,
  join: (page: P, older: P) => P,
  key = "",
) {
  const { remote, load, put } = useReading(() => read(), { key });
  const [paging, setPaging] = useState(false);
  const next = remote.state === "ready" ? remote.value.next : undefined;
  const more = async () => {
    if (remote.state !== "ready" || !next) return;
    setPaging(true);
    try {
      const { value } = await read(next);
      put({ ...join(remote.value, value), next: value.next });
    } catch (error) {
      report(error);
    }
    setPaging(false);
  };
  return { remote, load, put, more: next ? more : undefined, paging };
}
