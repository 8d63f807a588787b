import { chakra, SimpleGrid } from "@chakra-ui/react";
import type { AjoCard } from "@/api/schema.gen";
import { CheckIcon } from "@/ui/icons";
import { cardTexts as t } from "../texts";

/** The card's boxes; a filled one is stamped. */
export function Boxes({ card: { boxes, filled } }: { card: AjoCard }) {
  return (
    <SimpleGrid as="ol" listStyleType="none" gridTemplateColumns="repeat(7, minmax(0, 1fr))" gap="2" maxWidth="26rem">
      {Array.from({ length: boxes }, (_, at) => at + 1).map((at) => {
        const stamped = at <= filled;
        return (
          <chakra.li
            key={at}
            aria-label={t.box(at, stamped)}
            data-stamped={stamped || undefined}
            aspectRatio="1"
            display="flex"
            alignItems="center"
            justifyContent="center"
            borderRadius="md"
            borderWidth="2px"
            borderStyle={stamped ? "solid" : "dashed"}
            borderColor={stamped ? "border.brand" : "border.control"}
            bg={stamped ? "bg.brand" : undefined}
            color={stamped ? "fg.brand" : "fg.muted"}
            fontSize={stamped ? "xl" : "sm"}
            fontWeight="600"
            rotate={stamped ? `${((at * 7) % 9) - 4}deg` : undefined}
            transition="rotate 200ms, background 200ms"
          >
            <span aria-hidden="true">{stamped ? <CheckIcon /> : at}</span>
          </chakra.li>
        );
      })}
    </SimpleGrid>
  );
}
