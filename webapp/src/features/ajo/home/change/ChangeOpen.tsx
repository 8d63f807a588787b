import { changeAjoTerms, tellAjoPast } from "@/api/ajos";
import type { Ajo } from "@/api/schema.gen";
import { useAjoActs } from "@/store/useCommand";
import { pastOf, termsOf } from "../create/draft";
import { DepositTerms, PastCycles, Preview } from "../create/Rules";
import { MoneyTerms, OrderTerms } from "../create/Steps";
import { changeTexts as t } from "../texts";
import { Changing } from "./Changing";

/** Other terms, while the list is open. */
export function ChangeTerms({ ajo }: { ajo: Ajo }) {
  const { act } = useAjoActs();
  return (
    <Changing
      ajo={ajo}
      title={t.terms}
      text={t.termsText}
      yes={t.save}
      fields={(form) => (
        <>
          <MoneyTerms form={form} />
          <OrderTerms form={form} />
          <DepositTerms form={form} />
          <Preview draft={form.watch()} />
        </>
      )}
      onSave={(draft) => {
        const terms = termsOf(draft);
        const deed = `changeTerms:${ajo.id}:${JSON.stringify(terms)}`;
        return act(deed, (key) => changeAjoTerms(key, ajo.id, terms));
      }}
    />
  );
}

/** The cycles before Adashi, told for the first time or corrected. */
export function TellPast({ ajo }: { ajo: Ajo }) {
  const { act } = useAjoActs();
  return (
    <Changing
      ajo={ajo}
      title={t.past}
      text={t.pastText}
      yes={t.pastSave}
      fields={(form) => <PastCycles form={form} />}
      onSave={(draft) => {
        const past = pastOf(draft);
        const deed = `tellPast:${ajo.id}:${JSON.stringify(past)}`;
        return act(deed, (key) => tellAjoPast(key, ajo.id, past));
      }}
    />
  );
}
