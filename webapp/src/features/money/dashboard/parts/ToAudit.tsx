import { chakra } from "@chakra-ui/react";
import { getAuditDesk } from "@/api/audit";
import type { AuditDesk } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import type { Source } from "@/store/source";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { dashboardTexts as t } from "../texts";

const deskSource: Source<AuditDesk> = {
  key: "toAudit",
  area: "savings",
  topics: ["group", "ajo"],
  read: () => getAuditDesk({ limit: 1 }),
};

/** How many payments wait for whoever is the validator of a group or an ajo; nothing for all others. */
export function ToAudit() {
  const { remote } = useRead(deskSource);
  if (remote.state !== "ready" || remote.value.places.length === 0) return null;
  const waiting = remote.value.queues.find(({ queue }) => queue === "OLDEST")?.count ?? 0;
  return (
    <Card title={t.audit} action={<LinkButton to={paths.auditDesk}>{t.openDesk}</LinkButton>}>
      <chakra.p textStyle="body">{t.toAudit(waiting)}</chakra.p>
    </Card>
  );
}
