import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { findForRemedy } from "@/api/remedies";
import type { RemedyMember } from "@/api/schema.gen";
import { useLookUp } from "@/store/useLookUp";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { LookUp } from "@/ui/form/LookUp";
import { remedyTexts as t } from "../texts";
import { MemberFacts } from "./MemberFacts";

interface FindProps {
  onChosen: (member: RemedyMember, kase: string) => void;
}

/** Who has an address, or had it, masked; looking is recorded. */
export function Find({ onChosen }: FindProps) {
  const [found, setFound] = useState<{ members: RemedyMember[]; kase: string }>();
  const looking = useLookUp(
    async (email, kase) => ({ members: (await findForRemedy(email, kase)).value, kase }),
    setFound,
  );
  return (
    <Card title={t.findTitle}>
      <Stack gap="5">
        <LookUp t={t} {...looking} />
        {found?.members.length === 0 && <chakra.p role="status">{t.noneFound}</chakra.p>}
        {found?.members.map((member) => (
          <Stack key={member.userId} gap="3" bg="bg.muted" borderRadius="md" px="4" py="3">
            <chakra.h3 fontWeight="600">{member.name}</chakra.h3>
            <MemberFacts member={member} />
            {member.waits ? (
              <chakra.p textStyle="body">{t.waits}</chakra.p>
            ) : (
              <Flex>
                <Button variant="outline" onClick={() => onChosen(member, found.kase)}>
                  {t.choose}
                </Button>
              </Flex>
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}
