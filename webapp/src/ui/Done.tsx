import { chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { CheckIcon } from "./icons";

/** It worked: a tick, what happened, and where to go on. */
export function Done({ title, children, actions }: { title: string; children?: ReactNode; actions: ReactNode }) {
  return (
    <Flex direction="column" align="center" textAlign="center" gap="3" py="4" role="status">
      <Flex
        boxSize="16"
        borderRadius="full"
        bg="bg.success"
        color="fg.success"
        align="center"
        justify="center"
        fontSize="2xl"
      >
        <CheckIcon />
      </Flex>
      <chakra.p textStyle="section" fontSize="xl">
        {title}
      </chakra.p>
      {children && <chakra.div color="fg.muted">{children}</chakra.div>}
      <Flex direction="column" gap="3" mt="3" width="full">
        {actions}
      </Flex>
    </Flex>
  );
}
