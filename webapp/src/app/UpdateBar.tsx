import { chakra, Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { isReplaced } from "@/api/build";
import { hasUnsaved } from "@/store/unsaved";
import { Button } from "@/ui/Button";
import { updateTexts as t } from "./texts";
import { update, useWaitingWorker } from "./worker";

/** Whether a newer build has taken the files of this one: a part that was still to be fetched is gone. */
function useReplaced(): boolean {
  const [replaced, setReplaced] = useState(false);
  useEffect(() => {
    const onGone = async () => setReplaced((await isReplaced()) || replaced);
    window.addEventListener("vite:preloadError", onGone);
    return () => window.removeEventListener("vite:preloadError", onGone);
  }, [replaced]);
  return replaced;
}

/** Whether a reload would take a form away. */
const isInForm = () => hasUnsaved() || document.querySelector("main form, [role=dialog] form") !== null;

/** Offers a new build. Nothing is reloaded unasked, and never in the middle of a form. */
export function UpdateBar() {
  const replaced = useReplaced();
  const waiting = useWaitingWorker();
  const [inForm, setInForm] = useState(false);
  if (!replaced && !waiting) return null;
  const reload = () => {
    const busy = isInForm();
    setInForm(busy);
    if (!busy) update(waiting);
  };
  return (
    <Flex
      role="status"
      position="fixed"
      bottom="calc(var(--frame-bottom) + 1rem)"
      insetInline="4"
      zIndex="toast"
      justify="center"
      pointerEvents="none"
    >
      <Flex
        align="center"
        gap="4"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border"
        borderRadius="md"
        px="4"
        py="2"
        pointerEvents="auto"
      >
        <chakra.p textStyle="body">{inForm ? t.inForm : t.text}</chakra.p>
        <Button size="sm" onClick={reload}>
          {t.reload}
        </Button>
      </Flex>
    </Flex>
  );
}
