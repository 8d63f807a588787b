import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { AjoPayout } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Choice } from "@/ui/form/Choice";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { Modal } from "@/ui/overlays";
import { payoutTexts as t } from "../texts";
import { Figures } from "./Figures";
import { type Destination, useRequest } from "./useRequest";

const destinations = [
  { value: "WALLET", ...t.wallet },
  { value: "BANK", ...t.bank },
] as const;

function Form({ payout, onClose }: { payout: AjoPayout; onClose: () => void }) {
  const request = useRequest(payout, onClose);
  const [destination, setDestination] = useState<Destination>("WALLET");
  const { state, before, fault, told } = request;
  const sending = state === "sending";
  return (
    <Stack gap="5">
      {before !== undefined && (
        <Note tone="warning" title={t.changedTitle} live>
          {t.changed(formatNaira(before), formatNaira(told))}
        </Note>
      )}
      <Figures payout={request.payout} />
      <Choice
        legend={t.destination}
        name="destination"
        value={destination}
        options={[...destinations]}
        disabled={state !== "ready"}
        onChange={setDestination}
      />
      {state !== "unknown" && fault?.certain ? (
        <Note tone="danger" live>
          {fault.text}
        </Note>
      ) : (
        <OutcomeNote fault={fault} sent={request} />
      )}
      {state !== "unknown" && (
        <>
          <chakra.p textStyle="small" color="fg.muted">
            {t.stepUp}
          </chakra.p>
          <Button size="lg" fullWidth loading={sending} onClick={() => request.ask(destination)}>
            {t.submit(formatNaira(told))}
          </Button>
        </>
      )}
    </Stack>
  );
}

/** Asks for the pot of one's turn: all figures first. */
export function RequestModal({ payout, open, onClose }: { payout: AjoPayout; open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title={t.requestTitle(payout.cycle)}>
      <Form payout={payout} onClose={onClose} />
    </Modal>
  );
}
