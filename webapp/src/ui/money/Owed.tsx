import { formatNaira } from "@/lib/money";
import { balancesSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Note } from "../bits";
import { owedTexts as t } from "./texts";

/** Says what one owes Adashi, and what follows from it; nothing where nothing is owed. */
export function Owed() {
  const { remote } = useRead(balancesSource);
  if (remote.state !== "ready" || !remote.value.owed) return null;
  return (
    <div data-owed>
      <Note tone="warning" title={t.owed(formatNaira(remote.value.owed))}>
        <p>{t.owedWhy}</p>
      </Note>
    </div>
  );
}
