import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import { timeOf } from "@/lib/dates";
import { ArrowInIcon, ArrowOutIcon } from "./icons";
import { Naira } from "./Naira";

interface MovementRowProps {
  movement: {
    title: string;
    direction: "IN" | "OUT";
    amount: number;
    date: string;
    groupName?: string;
    subAccountName?: string;
  };
  to: string;
  /** Said under the title; the time of day when absent. */
  when?: string;
}

export function MovementRow({ movement, to, when }: MovementRowProps) {
  const came = movement.direction === "IN";
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      py="2.5"
      px="2"
      mx="-2"
      borderRadius="md"
      _hover={{ bg: "bg.muted" }}
    >
      <Link to={to}>
        <Flex
          boxSize="10"
          flexShrink="0"
          borderRadius="full"
          align="center"
          justify="center"
          bg={came ? "bg.success" : "bg.muted"}
          color={came ? "fg.success" : "fg.muted"}
        >
          {came ? <ArrowInIcon /> : <ArrowOutIcon />}
        </Flex>
        <Box flex="1" minWidth="0">
          <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
            {movement.subAccountName ?? movement.title}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {when ?? timeOf(movement.date)}
            {movement.groupName && ` · ${movement.groupName}`}
          </chakra.p>
        </Box>
        <chakra.p fontWeight="600">
          <Naira amount={movement.amount} direction={came ? "in" : "out"} />
        </chakra.p>
      </Link>
    </chakra.a>
  );
}
