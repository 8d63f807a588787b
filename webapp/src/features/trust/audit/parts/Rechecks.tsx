import { chakra } from "@chakra-ui/react";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { auditTexts as t } from "../texts";

interface RechecksProps {
  count: number;
  isOwner: boolean;
  /** Whether they are what is shown. */
  shown: boolean;
  onShow: () => void;
}

/** What was drawn for the owner to check again, for the owner to begin with; others read that it waits. */
export function Rechecks({ count, isOwner, shown, onShow }: RechecksProps) {
  if (count === 0) return null;
  if (!isOwner) {
    return (
      <chakra.p textStyle="small" color="fg.muted">
        {t.rechecksWait(count)}
      </chakra.p>
    );
  }
  return (
    <Note tone="warning" title={t.rechecks(count)}>
      <p>{t.rechecksLead}</p>
      {!shown && (
        <Button size="sm" variant="outline" onClick={onShow}>
          {t.rechecksShow}
        </Button>
      )}
    </Note>
  );
}
