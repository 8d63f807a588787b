import { chakra, Flex, Stack } from "@chakra-ui/react";
import { answerAjoPast } from "@/api/ajoActs";
import type { Ajo } from "@/api/schema.gen";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { openTexts as t } from "../texts";

/** What the owner tells of the cycles before, and whether it is right. */
export function Past({ ajo: { id, past, me, ownerName } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  if (past.length === 0) return null;
  const say = (confirmed: boolean) => act(`past:${id}:${confirmed}`, (key) => answerAjoPast(key, id, confirmed));
  return (
    <Card title={t.pastTitle}>
      <Stack gap="3">
        <chakra.p color="fg.muted">{t.past(ownerName)}</chakra.p>
        <chakra.ul listStyleType="none">
          {past.map(({ cycle, seat, paid }) => (
            <li key={cycle}>{t.pastLine(cycle, seat, paid.length)}</li>
          ))}
        </chakra.ul>
        {me.pastAnswer ? (
          <p>{me.pastAnswer === "CONFIRMED" ? t.confirmed : t.denied}</p>
        ) : (
          !me.isOwner && (
            <Flex gap="2" wrap="wrap">
              <Button disabled={busy !== undefined} onClick={() => void say(true)}>
                {t.confirm}
              </Button>
              <Button variant="outline" disabled={busy !== undefined} onClick={() => void say(false)}>
                {t.deny}
              </Button>
            </Flex>
          )
        )}
      </Stack>
    </Card>
  );
}
