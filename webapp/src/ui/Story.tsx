import { Box, chakra, Flex } from "@chakra-ui/react";
import { moment } from "@/lib/dates";
import { CheckIcon, CloseIcon } from "./icons";

interface Step {
  step: string;
  title: string;
  detail: string;
  at: string;
}

/** What happened to money on its way, step by step. */
export function Story({ story }: { story: Step[] }) {
  return (
    <chakra.ol listStyleType="none">
      {story.map((step, at) => {
        const failed = step.step === "FAILED";
        return (
          <chakra.li
            key={`${step.step}${step.at}`}
            display="flex"
            gap="4"
            position="relative"
            pb={at === story.length - 1 ? "0" : "6"}
          >
            {at < story.length - 1 && (
              <Box
                position="absolute"
                insetStart="15px"
                top="8"
                bottom="0"
                width="2px"
                bg="border"
                aria-hidden="true"
              />
            )}
            <Flex
              boxSize="8"
              flexShrink="0"
              borderRadius="full"
              bg={failed ? "bg.danger" : "bg.success"}
              color={failed ? "fg.danger" : "fg.success"}
              align="center"
              justify="center"
            >
              {failed ? <CloseIcon /> : <CheckIcon />}
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
        );
      })}
    </chakra.ol>
  );
}
