import { chakra, Flex } from "@chakra-ui/react";
import { Button } from "./Button";
import { Note } from "./bits";

interface NewsProps {
  /** Says that there is news; undefined where there is none. */
  title?: string;
  look: string;
  onLook: () => void;
  /** At the end of rows with buttons it moves none of them. */
  atEnd?: boolean;
}

/** Says in a stack of what was read that there is news of it, which is shown only when asked for. */
export function News({ title, look, onLook, atEnd = false }: NewsProps) {
  const place = atEnd ? ({ bottom: "calc(var(--frame-bottom) + 1rem)" } as const) : ({ top: "20" } as const);
  const gap = title ? {} : atEnd ? { mt: "-4" } : { mb: "-4" };
  return (
    <chakra.div
      role="status"
      position="sticky"
      zIndex="1"
      borderRadius="md"
      boxShadow={title && atEnd ? "float" : undefined}
      {...place}
      {...gap}
    >
      {title && (
        <Note title={title}>
          <Flex mt="2">
            <Button size="sm" onClick={onLook}>
              {look}
            </Button>
          </Flex>
        </Note>
      )}
    </chakra.div>
  );
}
