import { agreeBankAnswer, dropBankAnswer, giveBankAnswer } from "@/api/bankAnswers";
import type { BankAnswer, GiveBankAnswerRequest } from "@/api/schema.gen";
import { useActs } from "@/store/useCommand";

/**
 * What may be done about the answer to the bank of a card; each answers whether it was done. `onRefused` reads again
 * what is there, where it is not what the person saw.
 */
export function useBankDeeds(id: string, onChanged: (now: BankAnswer) => void, onRefused: () => void) {
  const { act } = useActs([], false, onRefused);
  const go = async (deed: string, send: Parameters<typeof act<BankAnswer>>[1]) => {
    const done = await act(deed, send);
    if (done) onChanged(done.value);
    return done !== undefined;
  };
  return {
    /** After names the answer that this one follows: the same words may be sent anew after one that failed. */
    give: (form: GiveBankAnswerRequest, after = "") =>
      go(`bank:${id}:${after}:${JSON.stringify(form)}`, (key) => giveBankAnswer(key, id, form)),
    agree: (answerId: string) => go(`agree:${answerId}`, (key) => agreeBankAnswer(key, id, answerId)),
    drop: (answerId: string, words: string) =>
      go(`drop:${answerId}:${words}`, (key) => dropBankAnswer(key, id, answerId, words)),
  };
}

export type BankDeeds = ReturnType<typeof useBankDeeds>;
