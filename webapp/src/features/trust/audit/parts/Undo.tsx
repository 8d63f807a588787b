import { Box, chakra, Flex } from "@chakra-ui/react";
import { Button } from "@/ui/Button";
import { VisuallyHidden } from "@/ui/bits";
import { auditTexts as t } from "../texts";
import type { Marking } from "./useMarking";

/** Says what was just validated, and offers to take it back. */
export function Undo({ marking: { undoing } }: { marking: Marking }) {
  const { slip, said, undo } = undoing;
  const [first] = slip?.payments ?? [];
  const words = slip && first && t.validated(slip.payments.length, first.name);
  return (
    <Box position="sticky" bottom="calc(var(--frame-bottom) + 1rem)" zIndex="docked" gridColumn="1 / -1">
      <VisuallyHidden role="status">{words ? `${words} ${t.undoKey}` : said === "undone" && t.undone}</VisuallyHidden>
      {words && (
        <Flex
          align="center"
          justify="space-between"
          gap="3"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border.control"
          borderRadius="md"
          boxShadow="float"
          ps="4"
          pe="1"
          py="1"
          maxWidth="narrow"
          mx="auto"
        >
          <chakra.p textStyle="body" aria-hidden="true">
            {words}
          </chakra.p>
          <Button variant="link" onClick={() => void undo()}>
            {t.undo}
          </Button>
        </Flex>
      )}
    </Box>
  );
}
