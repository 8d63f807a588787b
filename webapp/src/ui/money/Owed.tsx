import { formatNaira } from "@/lib/money";
import { owedTexts as t } from "@/lib/texts/owed";
import { Note } from "../bits";

/** Says what one owes Adashi, and what follows from it; nothing where nothing is owed. */
export function Owed({ amount }: { amount: number | undefined }) {
  if (!amount) return null;
  return (
    <div data-owed>
      <Note tone="warning" title={t.owed(formatNaira(amount))}>
        <p>{t.owedWhy}</p>
      </Note>
    </div>
  );
}
