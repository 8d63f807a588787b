import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Dispute } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { Done } from "@/ui/Done";
import { disputeTexts, newTexts as t } from "../texts";
import { holdWords } from "./holdWords";

/** It is open: its number, and the two dates that count. */
export function Opened({ dispute, frozen }: { dispute: Dispute; frozen: boolean }) {
  const { id, number, acknowledgeBy, decideBy, hold } = dispute;
  return (
    <Done
      title={t.sentTitle}
      actions={
        <LinkButton size="lg" fullWidth to={paths.dispute(id)}>
          {t.toDispute}
        </LinkButton>
      }
    >
      <Stack gap="4" align="center">
        <Flex gap="3" align="center" wrap="wrap" justify="center">
          <chakra.span color="fg" textStyle="figure" data-number={number}>
            {number}
          </chakra.span>
          <CopyButton value={number} what={disputeTexts.number} size="md" />
        </Flex>
        <chakra.div color="fg">
          <p>{t.takeBy(moment(acknowledgeBy))}</p>
          <p>{t.decideBy(moment(decideBy))}</p>
          {hold && (
            <p data-held={hold.status}>
              {disputeTexts.held}: {holdWords(hold)}.
            </p>
          )}
        </chakra.div>
        <p>{t.zone}</p>
        {frozen && (
          <chakra.div textAlign="start" color="fg">
            <Note tone="success" title={t.frozen}>
              <LinkButton variant="link" to={paths.freeze}>
                {t.toFreeze}
              </LinkButton>
            </Note>
          </chakra.div>
        )}
      </Stack>
    </Done>
  );
}
