import { useState } from "react";
import { Button } from "@/ui/Button";
import { PlusIcon } from "@/ui/icons";
import { listTexts as t } from "../texts";
import { StartDrawer } from "./StartDrawer";

/** The button that opens the drawer. */
export function Start() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<PlusIcon />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.start}
      </Button>
      <StartDrawer open={open} onClose={() => setOpen(false)} />
    </>
  );
}
