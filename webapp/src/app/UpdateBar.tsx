import { chakra, Flex } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { isReplaced } from "@/api/build";
import { Button } from "@/ui/Button";
import { updateTexts as t } from "./texts";

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

/** Offers a new build. Nothing is reloaded unasked, and the browser asks first where something typed would be lost. */
export function UpdateBar() {
  if (!useReplaced()) return null;
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
        <chakra.p textStyle="body">{t.text}</chakra.p>
        <Button size="sm" onClick={() => window.location.reload()}>
          {t.reload}
        </Button>
      </Flex>
    </Flex>
  );
}
