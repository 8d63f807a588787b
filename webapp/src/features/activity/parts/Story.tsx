import { Box, chakra, Flex } from "@chakra-ui/react";
import type { MovementDetail } from "@/api/types";
import { moment } from "@/lib/dates";
import { CheckIcon } from "@/ui/icons";

/** What happened to a payment, step by step. */
export function Story({ story }: Pick<MovementDetail, "story">) {
  return (
    <chakra.ol listStyleType="none">
      {story.map((step, at) => (
        <chakra.li key={step.step} display="flex" gap="4" position="relative" pb={at === story.length - 1 ? "0" : "6"}>
          {at < story.length - 1 && (
            <Box position="absolute" insetStart="15px" top="8" bottom="0" width="2px" bg="border" aria-hidden="true" />
          )}
          <Flex
            boxSize="8"
            flexShrink="0"
            borderRadius="full"
            bg="bg.success"
            color="fg.success"
            align="center"
            justify="center"
          >
            <CheckIcon />
          </Flex>
          <Box minWidth="0" pt="1">
            <chakra.p fontWeight="600" textStyle="body">
              {step.title}
            </chakra.p>
            <chakra.p textStyle="body" color="fg.muted">
              {step.detail}
            </chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {moment(step.at)}
            </chakra.p>
          </Box>
        </chakra.li>
      ))}
    </chakra.ol>
  );
}
