import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { timeOf } from "@/lib/dates";
import { ArrowInIcon, ArrowOutIcon, BankIcon, HeartIcon } from "@/ui/icons";
import { Naira } from "./Naira";

interface MovementRowProps {
  movement: {
    kind: string;
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

/** Movements that are more than in or out. */
const marks: Record<string, ReactNode> = { COVER: <HeartIcon />, SAVINGS_PAID_OUT: <BankIcon /> };
/** Kinds that differ from a plain contribution to the same place: the row says their own title. */
const titled = /^(COVER|SAVINGS)/;

export function MovementRow({ movement, to, when }: MovementRowProps) {
  const came = movement.direction === "IN";
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      flexWrap="wrap"
      columnGap="3"
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
          {marks[movement.kind] ?? (came ? <ArrowInIcon /> : <ArrowOutIcon />)}
        </Flex>
        <Box flex="1 1 5rem" minWidth="0" overflowWrap="anywhere">
          <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
            {titled.test(movement.kind) ? movement.title : (movement.subAccountName ?? movement.title)}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {when ?? timeOf(movement.date)}
            {[titled.test(movement.kind) && movement.subAccountName, movement.groupName]
              .filter(Boolean)
              .map((name) => ` · ${name}`)
              .join("")}
          </chakra.p>
        </Box>
        <chakra.p fontWeight="600" ms="auto">
          <Naira amount={movement.amount} direction={came ? "in" : "out"} />
        </chakra.p>
      </Link>
    </chakra.a>
  );
}
