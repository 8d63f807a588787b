import { Flex } from "@chakra-ui/react";
import { useState } from "react";
import { cancelAjo, leaveAjo } from "@/api/ajoActs";
import type { Ajo } from "@/api/schema.gen";
import { ChangeTerms, TellPast } from "@/features/ajo/home";
import { useAjoPayments } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Reason } from "@/ui/form/Reason";
import { openTexts as t } from "../texts";

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

/** What may be done while the list is open: change it, leave it, cancel it. */
export function ListOpen({ ajo }: { ajo: Ajo }) {
  const { id, status, me } = ajo;
  if (status !== "OPEN" && !(status === "ORDERING" && me.isOwner)) return null;
  return (
    <Flex gap="1" wrap="wrap">
      {me.isOwner && status === "OPEN" && (
        <>
          <ChangeTerms ajo={ajo} />
          <TellPast ajo={ajo} />
        </>
      )}
      {me.isOwner ? <Cancel id={id} /> : <Leave id={id} />}
    </Flex>
  );
}
