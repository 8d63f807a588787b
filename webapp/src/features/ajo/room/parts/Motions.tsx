import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { putMotion, voteMotion } from "@/api/ajoActs";
import type { Ajo, AjoMotion } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Choice } from "@/ui/form/Choice";
import { SelectField } from "@/ui/form/fields";
import { ReasonForm } from "@/ui/form/Reason";
import { Modal } from "@/ui/overlays";
import { motionTexts as t } from "../texts";

type Kind = AjoMotion["kind"];

const kinds = [
  { value: "PAUSE", ...t.pause },
  { value: "EXPEL", ...t.expel },
  { value: "TERMINATE", ...t.end },
] as const;

function Motion({ ajoId, motion }: { ajoId: string; motion: AjoMotion }) {
  const { busy, act } = useAjoActs();
  const { id, kind, about, by, until, against, voices, mayVote } = motion;
  const what = t.kind[kind](about ?? "");
  const say = (agrees: boolean) => act(`motion:${id}:${agrees}`, (key) => voteMotion(key, ajoId, id, agrees));
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="3" data-motion={id}>
      <Box flex="1 1 12rem" minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600">{what}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {t.by(by, moment(until))} · {t.count(motion.for, against, voices)}
        </chakra.p>
      </Box>
      {mayVote && (
        <>
          <Button disabled={busy !== undefined} aria-label={t.agreeIt(what)} onClick={() => void say(true)}>
            {t.agree}
          </Button>
          <Button
            variant="outline"
            disabled={busy !== undefined}
            aria-label={t.againstIt(what)}
            onClick={() => void say(false)}
          >
            {t.against}
          </Button>
        </>
      )}
    </chakra.li>
  );
}

function Propose({ ajo: { id, members } }: { ajo: Ajo }) {
  const { act } = useAjoActs();
  const [open, setOpen] = useState(false);
  const [kind, setKind] = useState<Kind>("PAUSE");
  const others = members.filter(({ isMe }) => !isMe);
  const [about, setAbout] = useState(others[0]?.userId ?? "");
  const close = () => setOpen(false);
  const put = async (reason: string) => {
    const userId = kind === "EXPEL" ? about : undefined;
    const body = { kind, reason, ...(userId ? { userId } : {}) };
    return (await act(`putMotion:${id}:${kind}:${userId}:${reason}`, (key) => putMotion(key, id, body))) !== undefined;
  };
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {t.propose}
      </Button>
      <Modal open={open} onClose={close} title={t.propose}>
        <Stack gap="4" mb="4">
          <Choice legend={t.what} name="kind" value={kind} options={[...kinds]} onChange={setKind} />
          {kind === "EXPEL" && (
            <SelectField label={t.whom} value={about} onChange={(event) => setAbout(event.target.value)}>
              {others.map(({ userId, name }) => (
                <option key={userId} value={userId}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </Stack>
        <ReasonForm label={t.reason} fault={t.fault} yes={t.submit} no={t.no} onClose={close} onYes={put}>
          {t.lead}
        </ReasonForm>
      </Modal>
    </>
  );
}

/** Expulsion, pause and the end, as all vote on them. */
export function Motions({ ajo }: { ajo: Ajo }) {
  const { id, motions, status } = ajo;
  const runs = status === "ACTIVE" || status === "PAUSED";
  if (!runs && motions.length === 0) return null;
  return (
    <Card title={t.title}>
      <chakra.p color="fg.muted">{t.lead}</chakra.p>
      <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
        {motions.map((motion) => (
          <Motion key={motion.id} ajoId={id} motion={motion} />
        ))}
      </Stack>
      {runs && (
        <Flex mt="4">
          <Propose ajo={ajo} />
        </Flex>
      )}
    </Card>
  );
}
