import { chakra } from "@chakra-ui/react";
import { ajoContributionsSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { memberTexts as t } from "../texts";

const heads = [t.name, t.seat, t.paid, t.collected, t.owed];
const Cell = chakra("td", { base: { py: "2", pe: "3" } });

/** What each member has paid in, collected, and owes. */
export function Members({ ajoId }: { ajoId: string }) {
  const { remote, load } = useRead(ajoContributionsSource(ajoId));
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {(members) => (
          <chakra.section overflowX="auto" aria-label={t.table} tabIndex={0}>
            <chakra.table width="full" textStyle="small" borderCollapse="collapse">
              <thead>
                <tr>
                  {heads.map((head) => (
                    <chakra.th key={head} scope="col" textAlign="start" color="fg.muted" fontWeight="500" pe="3" py="2">
                      {head}
                    </chakra.th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {members.map(({ userId, name, seat, totalContributions, collected, owed }) => (
                  <chakra.tr key={userId + seat} borderTopWidth="1px" borderColor="border">
                    <Cell fontWeight="600">{name}</Cell>
                    <Cell>{seat > 0 ? seat : t.left}</Cell>
                    <Cell whiteSpace="nowrap">
                      <Naira amount={totalContributions} />
                    </Cell>
                    <Cell whiteSpace="nowrap">
                      <Naira amount={collected} />
                    </Cell>
                    <Cell whiteSpace="nowrap" color={owed > 0 ? "fg.danger" : undefined}>
                      <Naira amount={owed} />
                    </Cell>
                  </chakra.tr>
                ))}
              </tbody>
            </chakra.table>
          </chakra.section>
        )}
      </Loaded>
    </Card>
  );
}
