import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { acceptAjoTerms, answerAjoPast, cancelAjo, leaveAjo } from "@/api/ajoActs";
import type { Ajo } from "@/api/schema.gen";
import { ChangeTerms, TellPast } from "@/features/ajo/home";
import { moment } from "@/lib/dates";
import { useAjoActs, useAjoPayments } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Reason } from "@/ui/form/Reason";
import { openTexts as t } from "../texts";
import { CloseList } from "./CloseList";

/** Terms that changed since one joined. */
export function Terms({ ajo: { id, me, termsHash, acceptBy } }: { ajo: Ajo }) {
  const { busy, act } = useAjoActs();
  if (me.acceptedTerms) return null;
  return (
    <Note tone="warning" title={t.termsTitle} live>
      <p>{t.terms(acceptBy ? moment(acceptBy) : "")}</p>
      <Flex mt="3">
        <Button
          loading={busy !== undefined}
          onClick={() => void act(`terms:${id}:${termsHash}`, (key) => acceptAjoTerms(key, id, termsHash))}
        >
          {t.acceptTerms}
        </Button>
      </Flex>
    </Note>
  );
}

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

function Leave({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const { act } = useAjoPayments();
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {t.leave}
      </Button>
      <Confirm
        open={asking}
        title={t.leaveTitle}
        yes={t.leaveYes}
        no={t.stay}
        danger
        onClose={() => setAsking(false)}
        onYes={async () => (await act(`leaveAjo:${id}`, (key) => leaveAjo(key, id))) !== undefined}
      >
        {t.leaveText}
      </Confirm>
    </>
  );
}

function Cancel({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const { act } = useAjoPayments();
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {t.cancel}
      </Button>
      <Reason
        open={asking}
        title={t.cancelTitle}
        label={t.reason}
        fault={t.reasonFault}
        yes={t.cancelYes}
        no={t.stay}
        variant="danger"
        onClose={() => setAsking(false)}
        onYes={async (reason) =>
          (await act(`cancelAjo:${id}`, (key) => cancelAjo(key, id, reason), reason)) !== undefined
        }
      >
        {t.cancelText}
      </Reason>
    </>
  );
}

/** What may be done while the list is open: close it, change it, leave it, cancel it. */
export function ListOpen({ ajo }: { ajo: Ajo }) {
  const { id, status, me } = ajo;
  if (status !== "OPEN" && !(status === "ORDERING" && me.isOwner)) return null;
  return (
    <>
      {me.isOwner && status === "OPEN" && <CloseList ajo={ajo} />}
      <Flex gap="1" wrap="wrap">
        {me.isOwner && status === "OPEN" && (
          <>
            <ChangeTerms ajo={ajo} />
            <TellPast ajo={ajo} />
          </>
        )}
        {me.isOwner ? <Cancel id={id} /> : <Leave id={id} />}
      </Flex>
    </>
  );
}
