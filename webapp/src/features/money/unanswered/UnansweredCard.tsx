import { useUnanswered } from "@/store/useUnanswered";
import { Card } from "@/ui/Card";
import { unansweredTexts as t } from "./texts";
import { UnansweredList } from "./UnansweredList";

/** On Home, while something has no known outcome. */
export function UnansweredCard() {
  if (useUnanswered().length === 0) return null;
  return (
    <Card title={t.title}>
      <p>{t.lead}</p>
      <UnansweredList />
    </Card>
  );
}
