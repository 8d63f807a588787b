import { approveCorrection, declineCorrection, proposeCorrection } from "@/api/corrections";
import type { CorrectionState, PreviewCorrectionRequest } from "@/api/schema.gen";
import { useActs } from "@/store/useCommand";

/**
 * What may be done about the correction of a case; each answers whether it was done. `onRefused` reads again what is
 * there, where it is not what the person saw.
 */
export function usePlanDeeds(id: string, onChanged: (now: CorrectionState) => void, onRefused: () => void) {
  const { act } = useActs([], true, onRefused);
  const go = async (...[about, send, payload]: Parameters<typeof act<CorrectionState>>) => {
    const done = await act(about, send, payload);
    if (done) onChanged(done.value);
    return done !== undefined;
  };
  return {
    propose: (form: PreviewCorrectionRequest, words: string) =>
      go(`plan:${id}`, (key) => proposeCorrection(key, id, { ...form, words }), { form, words }),
    approve: (planId: string) => go(`decidePlan:${planId}`, (key) => approveCorrection(key, id, planId)),
    decline: (planId: string, words: string) =>
      go(`decidePlan:${planId}`, (key) => declineCorrection(key, id, planId, words), { words }),
  };
}

export type PlanDeeds = ReturnType<typeof usePlanDeeds>;
