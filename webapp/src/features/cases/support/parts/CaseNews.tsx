import type { Case } from "@/api/schema.gen";
import { getCaseRow } from "@/api/support";
import { useRead } from "@/store/useRead";
import { News } from "@/ui/News";
import { caseTexts as t } from "../texts";

/**
 * Says that something happened in a case since it was read. It is not read by itself, since every look at a case is
 * recorded.
 */
export function CaseNews({ kase, onLook }: { kase: Case; onLook: () => void }) {
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
