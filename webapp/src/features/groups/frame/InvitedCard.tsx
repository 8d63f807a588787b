import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { answerInvitation } from "@/api/groups";
import { shortDay } from "@/lib/dates";
import { groupsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { invitedTexts as t } from "./texts";
import { useAct } from "./useAct";

interface InvitedCardProps {
  groupId: string;
  name: string;
  detail?: string;
  expires?: string;
}

/** Accept or decline: the one invited answers. */
export function AnswerInvitation({
  groupId,
  name,
  onDeclined,
}: Pick<InvitedCardProps, "groupId" | "name"> & { onDeclined?: () => void }) {
  const { busy, act } = useAct(groupId);
  const load = useStore((state) => state.load);
  const [declining, setDeclining] = useState(false);
  const answer = async (accept: boolean) => {
    const done = await act(`invitation:${groupId}:${accept}`, (key) => answerInvitation(key, groupId, accept));
    if (done) void load(groupsSource);
    if (done && !accept) onDeclined?.();
    return done !== undefined;
  };
  return (
    <Flex gap="3" wrap="wrap">
      <Button
        loading={busy?.endsWith("true")}
        disabled={busy !== undefined}
        aria-label={t.acceptTo(name)}
        onClick={() => answer(true)}
      >
        {t.accept}
      </Button>
      <Button
        variant="outline"
        disabled={busy !== undefined}
        aria-label={t.declineTo(name)}
        onClick={() => setDeclining(true)}
      >
        {t.decline}
      </Button>
      <Confirm
        open={declining}
        title={t.declineTitle}
        yes={t.decline}
        no={t.keep}
        danger
        onClose={() => setDeclining(false)}
        onYes={() => answer(false)}
      >
        {t.declineText(name)}
      </Confirm>
    </Flex>
  );
}

/** An invitation in the list of them. */
export function InvitedCard({ groupId, name, detail, expires }: InvitedCardProps) {
  return (
    <CardBox data-invited={groupId}>
      <Stack gap="4" justify="space-between" height="full">
        <chakra.div>
          <chakra.h3 textStyle="section" overflowWrap="anywhere">
            {name}
          </chakra.h3>
          {detail && (
            <chakra.p textStyle="body" color="fg.muted" overflowWrap="anywhere">
              {detail}
            </chakra.p>
          )}
          {expires && (
            <chakra.p textStyle="small" color="fg.muted" mt="1">
              {t.until(shortDay(expires))}
            </chakra.p>
          )}
        </chakra.div>
        <AnswerInvitation groupId={groupId} name={name} />
      </Stack>
    </CardBox>
  );
}
