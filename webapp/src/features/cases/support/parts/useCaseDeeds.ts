import type { Case } from "@/api/schema.gen";
import { allowHold, askMember, resolveCase, takeCase } from "@/api/support";
import { useActs } from "@/store/useCommand";

/** What may be done with a case; each answers whether it was done. */
export function useCaseDeeds({ id, version }: Pick<Case, "id" | "version">, onChanged: (now: Case) => void) {
  const { busy, act } = useActs([]);
  const go = async (deed: string, send: Parameters<typeof act<Case>>[1]) => {
    const done = await act(deed, send);
    if (done) onChanged(done.value);
    return done !== undefined;
  };
  return {
    taking: busy === `take:${id}:${version}`,
    take: () => go(`take:${id}:${version}`, (key) => takeCase(key, id, version)),
    holding: busy === `hold:${id}`,
    hold: () => go(`hold:${id}`, (key) => allowHold(key, id)),
    ask: (words: string) => go(`ask:${id}:${words}`, (key) => askMember(key, id, words)),
    decide: (upheld: boolean, words: string, entries: string[]) =>
      go(`decide:${id}:${upheld}:${entries.join()}:${words}`, (key) =>
        resolveCase(key, id, { upheld, words, ...(entries.length > 0 ? { entries } : {}) }),
      ),
  };
}

export type CaseDeeds = ReturnType<typeof useCaseDeeds>;
