import { Stack } from "@chakra-ui/react";
import type { ReplayStep, ReplaySubject } from "@/api/schema.gen";
import type { Moment } from "@/api/support";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Compare } from "./Compare";
import { Accounts, States } from "./Figures";
import type { Clock } from "./usePlace";
import { useReplay } from "./useReplay";

interface MomentsProps {
  caseId: string;
  subject: ReplaySubject;
  steps: ReplayStep[];
  clock: Clock;
  /** The event that somebody stands at, once they stand still. */
  step: ReplayStep | undefined;
  /** The position of the moment that is kept. */
  than: number | undefined;
}

/** Right after an event, or by what counted when it did; by the position alone where the event is not loaded. */
function momentOf(clock: Clock, step: ReplayStep | undefined, position: number | undefined): Moment | undefined {
  if (step && clock === "effective") return { effective: step.effectiveAt };
  return position === undefined ? undefined : { position };
}

const skeleton = <ListSkeleton rows={4} />;

/** What the ledger held at the moment, and at the one that is kept. */
export function Moments({ caseId, subject, steps, clock, step, than }: MomentsProps) {
  const kept = steps.find(({ position }) => position === than);
  const now = useReplay(caseId, subject, momentOf(clock, step, step?.position));
  const before = useReplay(caseId, subject, momentOf(clock, kept, than));
  return (
    <Loaded remote={now.remote} skeleton={skeleton} onRetry={now.load}>
      {(replay) => (
        <Stack gap="5" data-replay={replay.position}>
          {than === undefined ? (
            <Accounts accounts={replay.accounts} />
          ) : (
            <Loaded remote={before.remote} skeleton={skeleton} onRetry={before.load}>
              {(other) => <Compare kept={other} now={replay} />}
            </Loaded>
          )}
          <States states={replay.states} more={replay.more} />
        </Stack>
      )}
    </Loaded>
  );
}
