import { chakra, Stack } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Ajo } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { Card } from "@/ui/Card";
import { moreTexts as t } from "../texts";
import { ListOpen } from "./ListOpen";
import { Motions } from "./Motions";
import { Places } from "./Places";
import { Swaps } from "./Swaps";

/** The pages that belong to an ajo. */
function pagesOf({ id, cycles, status, invitationLink, me }: Ajo): [name: string, to: string][] {
  // While the bar invites, it is not here too.
  const invites = status === "OPEN" && invitationLink && (me.mayClose || !me.acceptedTerms || me.depositDue > 0);
  return [
    ...(invites ? [[t.invite, paths.inviteAjo(id)] as [string, string]] : []),
    ...(cycles.length > 0
      ? ([
          [t.payouts, paths.ajoPayouts(id)],
          [t.audit, paths.ajoAudit(id)],
          [t.months, paths.months(id)],
        ] as [string, string][])
      : []),
  ];
}

function Pages({ ajo }: { ajo: Ajo }) {
  const pages = pagesOf(ajo);
  if (pages.length === 0) return null;
  return (
    <Card title={t.title}>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
        {pages.map(([name, to]) => (
          <li key={to}>
            <chakra.a asChild display="flex" alignItems="center" minHeight="target" color="fg.brand" fontWeight="600">
              <Link to={to}>{name}</Link>
            </chakra.a>
          </li>
        ))}
      </Stack>
    </Card>
  );
}

/** What a member needs seldom: swaps, votes, their place, automatic payments, the other pages, and the ways out. */
export function MoreTab({ ajo }: { ajo: Ajo }) {
  return (
    <Stack gap="4">
      <Swaps ajo={ajo} />
      <Motions ajo={ajo} />
      <Places ajo={ajo} />
      <Pages ajo={ajo} />
      <ListOpen ajo={ajo} />
    </Stack>
  );
}
