import { formatNaira } from "@/lib/money";
import { Note } from "../bits";
import { owedTexts as t } from "./texts";

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
