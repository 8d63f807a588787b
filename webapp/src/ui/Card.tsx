import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useContext, useId } from "react";
import { createPortal } from "react-dom";
import { cardRecipe } from "@/theme/recipes";
import { TitleSlot } from "./frame";

export const CardBox = chakra("div", cardRecipe);
const CardSection = chakra("section", cardRecipe);

interface CardProps {
  title?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A white card with its title and, beside it, what one may do with it. */
export function Card({ title, action, children }: CardProps) {
  const id = useId();
  return (
    <CardSection aria-labelledby={title ? id : undefined}>
      {title && (
        <Flex justify="space-between" align="center" gap="3" mb="4" minHeight="9">
          <chakra.h2 id={id} textStyle="section">
            {title}
          </chakra.h2>
          {action}
        </Flex>
      )}
      {children}
    </CardSection>
  );
}

interface PageHeadProps {
  title: ReactNode;
  detail?: ReactNode;
  action?: ReactNode;
  /** What the page is about, as a picture: the emblem of a group or an ajo. */
  picture?: ReactNode;
}

/** A page's title, below 1024 px in the header, with what one may do on the page. */
export function PageHead({ title, detail, action, picture }: PageHeadProps) {
  const slot = useContext(TitleSlot);
  const heading = (
    <chakra.h1 textStyle={slot ? undefined : "title"} overflowWrap="anywhere">
      {title}
    </chakra.h1>
  );
  const placed = slot ? createPortal(heading, slot) : heading;
  if (slot && !detail && !action && !picture) return placed;
  return (
    <Flex
      gap="4"
      justify="space-between"
      align={{ base: "stretch", md: "flex-end" }}
      direction={{ base: "column", md: "row" }}
      mb="section"
    >
      <Flex gap="3" align="center" minWidth="0" _empty={{ display: "none" }}>
        {picture}
        <Box minWidth="0" _empty={{ display: "none" }}>
          {placed}
          {detail && (
            <chakra.p color="fg.muted" mt={slot ? undefined : "1"}>
              {detail}
            </chakra.p>
          )}
        </Box>
      </Flex>
      {action && (
        <Flex gap="3" wrap="wrap">
          {action}
        </Flex>
      )}
    </Flex>
  );
}
