import { Stack } from "@chakra-ui/react";
import { requestWaiver } from "@/api/dues";
import type { Due, WaiverKind } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { formatNaira } from "@/lib/money";
import { ReasonForm } from "@/ui/form/Reason";
import { waiverTexts as t } from "../texts";

interface WaiverFormProps {
  due: Due;
  memberId: string;
  kind: WaiverKind;
  onClose: () => void;
}

/** Asks that a due need not be paid. */
export function WaiverForm({ due, memberId, kind, onClose }: WaiverFormProps) {
  const { act } = useAct(due.groupId);
  const { subAccountId, period } = due;
  const ask = async (reason: string) => {
    const deed = `waiver:${subAccountId}:${memberId}:${period}:${kind}:${reason}`;
    const body = { subAccountId, memberId, period, kind, reason };
    return Boolean(await act(deed, (key) => requestWaiver(key, body)));
  };
  return (
    <ReasonForm
      label={t.reason}
      fault={t.reasonFault}
      yes={t.submit[kind]}
      no={t.no}
      variant={kind === "WRITTEN_OFF" ? "danger" : "primary"}
      onClose={onClose}
      onYes={ask}
    >
      <Stack gap="2">
        <p>{t.amount(formatNaira(due.outstanding), `${due.subAccountName}, ${due.label}`)}</p>
        <p>{t.lead[kind]}</p>
        <p>{t.second}</p>
      </Stack>
    </ReasonForm>
  );
}
