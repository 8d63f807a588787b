import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useId } from "react";
import { cardRecipe } from "@/theme/recipes";

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
}

export function PageHead({ title, detail, action }: PageHeadProps) {
  return (
    <Flex
      gap="4"
      justify="space-between"
      align={{ base: "stretch", md: "flex-end" }}
      direction={{ base: "column", md: "row" }}
      mb="6"
    >
      <Box minWidth="0">
        <chakra.h1 textStyle="title" overflowWrap="anywhere">
          {title}
        </chakra.h1>
        {detail && (
          <chakra.p color="fg.muted" mt="1">
            {detail}
          </chakra.p>
        )}
      </Box>
      {action && (
        <Flex gap="3" wrap="wrap">
          {action}
        </Flex>
      )}
    </Flex>
  );
}
