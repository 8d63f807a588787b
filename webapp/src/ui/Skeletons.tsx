import { Box, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { CardBox } from "./Card";

function Bone({
  width = "100%",
  height = "1rem",
  round = false,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return (
    <Box
      width={width}
      maxWidth="full"
      height={height}
      flexShrink="0"
      borderRadius={round ? "full" : "sm"}
      bg="grayLine"
      animation="pulse 1.4s ease-in-out infinite"
    />
  );
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <Box role="status" aria-label="Loading" width="full">
      {children}
    </Box>
  );
}

/** Their places: bones have no other name. */
const bones = (count: number) => Array.from({ length: count }, (_, at) => at);

function Rows({ count }: { count: number }) {
  return (
    <Stack gap="5">
      {bones(count).map((at) => (
        <Flex key={at} gap="3" align="center">
          <Bone width="2.5rem" height="2.5rem" round />
          <Stack gap="2" flex="1">
            <Bone width="55%" />
            <Bone width="35%" height="0.75rem" />
          </Stack>
          <Bone width="5rem" />
        </Flex>
      ))}
    </Stack>
  );
}

const Figure = () => (
  <Stack gap="4">
    <Bone width="7rem" />
    <Bone width="14rem" height="2.75rem" />
    <Bone width="11rem" />
  </Stack>
);

/** A list of things with a face, two lines and an amount. */
export function ListSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <Waiting>
      <Rows count={rows} />
    </Waiting>
  );
}

export function FigureSkeleton() {
  return (
    <Waiting>
      <Figure />
    </Waiting>
  );
}

export function CardsSkeleton({ cards = 3 }: { cards?: number }) {
  return (
    <Waiting>
      <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
        {bones(cards).map((at) => (
          <CardBox key={at}>
            <Figure />
          </CardBox>
        ))}
      </SimpleGrid>
    </Waiting>
  );
}

/** A page with a title, a large card and a list beneath: the shape most screens have. */
export function PageSkeleton() {
  return (
    <Waiting>
      <Stack gap="6">
        <Box hideBelow="lg">
          <Bone width="13rem" height="2rem" />
        </Box>
        <CardBox>
          <Figure />
        </CardBox>
        <CardBox>
          <Rows count={4} />
        </CardBox>
      </Stack>
    </Waiting>
  );
}

export function FormSkeleton() {
  return (
    <Waiting>
      <Stack gap="6" maxWidth="form" marginX="auto" pt="8" px="4">
        <Bone width="12rem" height="2rem" />
        <Bone height="3rem" />
        <Bone height="3rem" />
        <Bone height="2.75rem" width="9rem" />
      </Stack>
    </Waiting>
  );
}
