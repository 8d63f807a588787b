import { Box } from "@chakra-ui/react";
import { useState } from "react";
import { type AjoRefusalKind, refuseAjoPayout } from "@/api/ajoActs";
import type { AjoPayout } from "@/api/schema.gen";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Choice } from "@/ui/form/Choice";
import { ReasonForm } from "@/ui/form/Reason";
import { Modal } from "@/ui/overlays";
import { payoutTexts as t } from "../texts";

const kinds = (["WRONG_PERSON", "DISPUTE", "DEBT"] as const).map((value) => ({ value, ...t.refusals[value] }));

/** Holds a payout for some days, for one of three reasons. */
export function Refuse({ payout: { ajoId, cycle } }: { payout: AjoPayout }) {
  const { act } = useAjoActs();
  const [open, setOpen] = useState(false);
  const [refusal, setRefusal] = useState<AjoRefusalKind>("WRONG_PERSON");
  const close = () => setOpen(false);
  const refuse = async (reason: string) =>
    (await act(`refusePayout:${ajoId}:${cycle}:${refusal}:${reason}`, (key) =>
      refuseAjoPayout(key, ajoId, cycle, { refusal, reason }),
    )) !== undefined;
  return (
    <>
      <Button variant="outline" aria-label={t.refuseIt(cycle)} onClick={() => setOpen(true)}>
        {t.refuse}
      </Button>
      <Modal open={open} onClose={close} title={t.refuseTitle}>
        <Box mb="4">
          <Choice legend={t.refusalLegend} name="refusal" value={refusal} options={kinds} onChange={setRefusal} />
        </Box>
        <ReasonForm
          label={t.reason}
          fault={t.fault}
          yes={t.refuseYes}
          no={t.no}
          variant="danger"
          onClose={close}
          onYes={refuse}
        >
          {t.refuseText}
        </ReasonForm>
      </Modal>
    </>
  );
}
