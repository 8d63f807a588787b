import { chakra } from "@chakra-ui/react";
import type { Group } from "@/api/schema.gen";
import { isOfficial } from "@/features/groups/frame";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { viewTexts as t } from "../texts";

type View = keyof typeof t.names;

/** The switch of the group's payments: what is owed, what was paid, and for officials everybody month by month. */
export function Views({ group, current }: { group: Group; current: View }) {
  const views: [View, string][] = [
    ["unsettled", paths.unsettled(group.id)],
    ["paid", paths.myPayments(group.id)],
    ...(isOfficial(group) ? ([["grid", paths.membersPayments(group.id)]] as [View, string][]) : []),
  ];
  return (
    <chakra.nav aria-label={t.label}>
      <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" gap="2">
        {views.map(([view, to]) => (
          <li key={view}>
            <LinkButton
              to={to}
              size="sm"
              variant={view === current ? "secondary" : "outline"}
              aria-current={view === current ? "page" : undefined}
            >
              {t.names[view]}
            </LinkButton>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}
