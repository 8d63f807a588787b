import { approveCorrection, declineCorrection, proposeCorrection } from "@/api/corrections";
import type { CorrectionForm, CorrectionState } from "@/api/types";
import { useDeeds } from "@/store/useDeeds";

/**
 * What may be done about the correction of a case; each answers whether it was done. `onRefused` reads again what is
 * there, where it is not what the person saw.
 */
export function usePlanDeeds(id: string, onChanged: (now: CorrectionState) => void, onRefused: () => void) {
  const { act } = useDeeds([], true, onRefused);
  const go = async (deed: string, send: Parameters<typeof act<CorrectionState>>[1]) => {
    const done = await act(deed, send);
    if (done) onChanged(done.value);
    return done !== undefined;
  };
  return {
    propose: (form: CorrectionForm, words: string) =>
      go(`plan:${id}:${JSON.stringify(form)}:${words}`, (key) => proposeCorrection(key, id, { ...form, words })),
    approve: (planId: string) => go(`approve:${planId}`, (key) => approveCorrection(key, id, planId)),
    decline: (planId: string, words: string) =>
      go(`decline:${planId}:${words}`, (key) => declineCorrection(key, id, planId, words)),
  };
}

export type PlanDeeds = ReturnType<typeof usePlanDeeds>;
