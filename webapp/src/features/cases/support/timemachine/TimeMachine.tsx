import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Case, ReplaySubject } from "@/api/schema.gen";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import type { Named } from "../parts/useNamed";
import { machineTexts as t } from "../texts";
import { Machine } from "./Machine";
import { usePlace } from "./usePlace";

const nameOf = (subject: ReplaySubject, { member, groupName, ajoName }: Case) =>
  t.subject(t.subjects[subject], { MEMBER: member, GROUP: groupName, AJO: ajoName }[subject]);

/** What the ledger held of what a case is about, at any moment. Each opening is recorded, so it is asked for. */
export function TimeMachine({ kase, named }: { kase: Case; named: Named }) {
  const { place, go } = usePlace(kase.subjects);
  const { subject } = place;
  return (
    <Card title={t.title}>
      <Stack gap="5">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        <Flex role="group" aria-label={t.open} gap="2" wrap="wrap">
          {kase.subjects.map((one) => (
            <Button
              key={one}
              variant={one === subject ? "secondary" : "outline"}
              aria-pressed={one === subject}
              onClick={() => go({ subject: one, at: undefined, than: undefined })}
            >
              {nameOf(one, kase)}
            </Button>
          ))}
        </Flex>
        {subject && (
          <Machine key={subject} caseId={kase.id} subject={subject} place={place} named={named} onPlace={go} />
        )}
      </Stack>
    </Card>
  );
}
