import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getCorrection } from "@/api/corrections";
import type { Case, Correction, CorrectionOfLab, CorrectionState } from "@/api/schema.gen";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { proposeTexts, correctionTexts as t } from "../texts";
import type { NamedEvent } from "./AddStep";
import { Earlier } from "./Earlier";
import { Plan } from "./Plan";
import { Propose } from "./Propose";
import { usePlanDeeds } from "./usePlanDeeds";

const tones = {
  PROPOSED: "warning",
  APPROVED: "brand",
  DECLINED: "neutral",
  APPLIED: "success",
  STALE: "danger",
} as const satisfies Record<Correction["status"], string>;

interface CorrectedProps {
  kase: Case;
  /** Whether the reader has the case, and it is open: they may propose. */
  inHand: boolean;
  named: NamedEvent[];
  /** What a lab of the case makes of itself; it is proposed from there. */
  draft?: CorrectionOfLab;
  /** The case has changed with it. */
  onChanged: () => void;
}

function Body({
  kase,
  inHand,
  named,
  draft,
  onChanged,
  state,
  put,
  onRefused,
}: CorrectedProps & { state: CorrectionState; put: (now: CorrectionState) => void; onRefused: () => void }) {
  const [proposing, setProposing] = useState(draft !== undefined);
  const deeds = usePlanDeeds(
    kase.id,
    (now) => {
      setProposing(false);
      put(now);
      onChanged();
    },
    onRefused,
  );
  const { plan, earlier, penalties } = state;
  const waits = plan?.status === "PROPOSED" || plan?.status === "APPROVED";
  return (
    <Stack gap="5">
      {plan ? <Plan plan={plan} deeds={deeds} /> : <chakra.p color="fg.muted">{t.lead}</chakra.p>}
      {inHand && !waits && !proposing && (
        <Flex>
          <Button variant="outline" onClick={() => setProposing(true)}>
            {proposeTexts.begin}
          </Button>
        </Flex>
      )}
      {inHand && !waits && proposing && (
        <Propose kase={kase} named={named} penalties={penalties} draft={draft} deeds={deeds} />
      )}
      {earlier && <Earlier list={earlier} />}
    </Stack>
  );
}

/** How a case is put right: its correction as it stands, and proposing one. */
export function Corrected(props: CorrectedProps) {
  const { kase, inHand } = props;
  const { remote, load, put } = useRead({
    key: `plan:${kase.id}`,
    area: "support",
    read: () => getCorrection(kase.id),
  });
  const status = remote.state === "ready" ? remote.value.plan?.status : undefined;
  if (!inHand && !kase.plan) return null;
  return (
    <Card title={t.title} action={status && <Badge tone={tones[status]}>{t.status[status]}</Badge>}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(state) => <Body {...props} state={state} put={put} onRefused={() => void load()} />}
      </Loaded>
    </Card>
  );
}
