import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import { useUnanswered } from "@/store/useUnanswered";
import { IconButton } from "@/ui/Button";
import { WarningIcon } from "@/ui/icons";
import { lazyPart } from "@/ui/lazyPart";
import { unansweredTexts as t } from "./texts";

const Dialog = lazyPart(() => import("./UnansweredDialog").then((m) => m.UnansweredDialog));

/** In the header of every screen, while something has no known outcome. */
export function UnansweredButton() {
  const count = useUnanswered().length;
  const [open, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <>
      <IconButton label={t.button(count)} aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <chakra.span color="fg.warning">
          <WarningIcon />
        </chakra.span>
      </IconButton>
      {open && <Dialog open onClose={() => setOpen(false)} />}
    </>
  );
}
