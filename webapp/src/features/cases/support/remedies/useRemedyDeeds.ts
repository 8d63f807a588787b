import { agreeRemedy, declineRemedy, proposeRemedy } from "@/api/remedies";
import type { ProposeRemedyRequest, Remedy } from "@/api/schema.gen";
import { useActs } from "@/store/useCommand";

/** What may be done at the desk for stolen accounts; each answers whether it was done. `onChanged` reads the list again. */
export function useRemedyDeeds(onChanged: () => unknown) {
  const { act } = useActs([], false, onChanged);
  const go = async <T>(deed: string, send: Parameters<typeof act<T>>[1]) => {
    const done = await act(deed, send);
    if (done) onChanged();
    return done !== undefined;
  };
  return {
    propose: (form: ProposeRemedyRequest) => go(`propose:${JSON.stringify(form)}`, (key) => proposeRemedy(key, form)),
    agree: ({ remedyId, version }: Remedy) =>
      go(`agree:${remedyId}:${version}`, (key) => agreeRemedy(key, remedyId, version)),
    decline: ({ remedyId }: Remedy) => go(`decline:${remedyId}`, (key) => declineRemedy(key, remedyId)),
  };
}

export type RemedyDeeds = ReturnType<typeof useRemedyDeeds>;
