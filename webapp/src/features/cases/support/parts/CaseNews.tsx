import { getCaseRow } from "@/api/support";
import type { SupportCase } from "@/api/types";
import { useRead } from "@/store/useRead";
import { News } from "@/ui/News";
import { caseTexts as t } from "../texts";

/**
 * Says that something happened in a case since it was read. It is not read by itself, since every look at a case is
 * recorded.
 */
export function CaseNews({ kase, onLook }: { kase: SupportCase; onLook: () => void }) {
  const { remote } = useRead({
    key: `case:${kase.id}:news`,
    area: "support",
    topics: ["desk:support"],
    read: () => getCaseRow(kase.id),
  });
  if (remote.state !== "ready") return null;
  const isNews = remote.value.stepCount > kase.stepCount;
  return <News title={isNews ? t.news : undefined} look={t.look} onLook={onLook} />;
}
