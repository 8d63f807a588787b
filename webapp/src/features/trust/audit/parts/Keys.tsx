import { Box, chakra, Flex } from "@chakra-ui/react";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { auditTexts as t } from "../texts";
import type { Marking } from "./useMarking";

/** What each key of the desk does; opened by its button or by ?. */
export function Keys({ marking: { help, setHelp } }: { marking: Marking }) {
  return (
    <>
      <Box display={{ base: "none", lg: "block" }}>
        <Button size="sm" variant="ghost" aria-keyshortcuts="?" onClick={() => setHelp(true)}>
          {t.keys}
        </Button>
      </Box>
      <Modal open={help} onClose={() => setHelp(false)} title={t.keysTitle}>
        <chakra.dl display="flex" flexDirection="column" gap="2" textStyle="body">
          {t.keyWords.map(([key, words]) => (
            <Flex key={key} gap="4" align="center">
              <chakra.dt
                borderWidth="1px"
                borderColor="border.control"
                borderRadius="sm"
                px="2"
                minWidth="20"
                textAlign="center"
                fontFamily="mono"
                fontWeight="600"
              >
                {key}
              </chakra.dt>
              <dd>{words}</dd>
            </Flex>
          ))}
        </chakra.dl>
      </Modal>
    </>
  );
}
