import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { freezeSource } from "@/store/disputeSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { frozenTexts as t } from "../texts";

/** Says so while somebody's money is frozen, and where that can be changed. */
export function Frozen() {
  const { remote } = useRead(freezeSource);
  if (remote.state !== "ready" || !remote.value.frozen) return null;
  const { thawAt } = remote.value;
  return (
    <div data-frozen>
      <Note tone="warning" title={t.title}>
        <p>
          {t.lead} {thawAt && t.until(moment(thawAt))}
        </p>
        <LinkButton variant="link" to={paths.freeze}>
          {t.action}
        </LinkButton>
      </Note>
    </div>
  );
}
