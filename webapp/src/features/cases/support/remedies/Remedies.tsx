import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getRemedies } from "@/api/remedies";
import type { RemedyMember } from "@/api/schema.gen";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { remedyTexts as t } from "../texts";
import { Find } from "./Find";
import { Propose } from "./Propose";
import { useRemedyDeeds } from "./useRemedyDeeds";
import { Waiting } from "./Waiting";

/** For members whose account somebody else used: one of Support proposes what is to be done, and an Admin agrees. */
export function Remedies() {
  const [chosen, setChosen] = useState<{ member: RemedyMember; kase: string }>();
  const { remote, load } = useRead({ key: "remedies", area: "support", topics: ["desk:support"], read: getRemedies });
  const deeds = useRemedyDeeds(load);
  return (
    <Stack gap="4">
      <Card title={t.waitingTitle}>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
          {(waiting) =>
            waiting.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.noneTitle}>
                {t.noneWaits}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none" aria-label={t.list}>
                {waiting.map((remedy) => (
                  <li key={remedy.remedyId}>
                    <Waiting remedy={remedy} deeds={deeds} />
                  </li>
                ))}
              </chakra.ul>
            )
          }
        </Loaded>
      </Card>
      {chosen ? (
        <Propose key={chosen.member.userId} {...chosen} onPropose={deeds.propose} onDone={() => setChosen(undefined)} />
      ) : (
        <Find onChosen={(member, kase) => setChosen({ member, kase })} />
      )}
    </Stack>
  );
}
