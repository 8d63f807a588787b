import { Box, chakra, Flex } from "@chakra-ui/react";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { questionsSource } from "@/store/questionSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { Naira } from "@/ui/money/Naira";
import { dashboardTexts as t } from "../texts";

/** How many are shown until more are asked for: the dashboard has more to tell. */
const FIRST = 3;

/** What is asked about payments of the one signed in and waits for their answer; nothing where nothing is. */
export function ToAnswer() {
  const { remote } = useRead(questionsSource);
  const waiting = remote.state === "ready" ? remote.value.filter(({ answered }) => !answered) : [];
  if (waiting.length === 0) return null;
  return (
    <Card title={t.toAnswer(waiting.length)}>
      <CollapsibleList items={waiting} first={FIRST}>
        {({ paymentId, amount, place, date, reason }) => (
          <Flex key={paymentId} gap="3" py="3" align="center" justify="space-between">
            <chakra.div minWidth="0">
              <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
                “{reason}”
              </chakra.p>
              <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
                <Naira amount={amount} /> · {place} · {shortDay(date)}
              </chakra.p>
            </chakra.div>
            <Box flexShrink="0">
              <LinkButton to={paths.activityDetail(paymentId)} variant="outline" aria-label={t.answerOf(reason)}>
                {t.answer}
              </LinkButton>
            </Box>
          </Flex>
        )}
      </CollapsibleList>
    </Card>
  );
}
