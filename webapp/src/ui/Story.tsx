import { Box, chakra, Flex } from "@chakra-ui/react";
import { moment } from "@/lib/dates";
import { CheckIcon, ClockIcon, CloseIcon, HelpIcon, UndoIcon } from "./icons";

interface Step {
  step: string;
  title: string;
  detail: string;
  at: string;
}

const ended = { bg: "bg.danger", color: "fg.danger", icon: <CloseIcon /> };
const given = { bg: "bg.muted", color: "fg.muted", icon: <UndoIcon /> };
const waits = { bg: "bg.muted", color: "fg.muted", icon: <ClockIcon /> };
const done = { bg: "bg.success", color: "fg.success", icon: <CheckIcon /> };

/** How a step that is not simply done looks. */
const looks: Record<string, typeof done> = {
  FAILED: ended,
  REJECTED: ended,
  EXPIRED: ended,
  CANCELLED: given,
  RELEASED: given,
  RETURNED: given,
  WAITING: waits,
  DISPUTED: { bg: "bg.warning", color: "fg.warning", icon: <HelpIcon /> },
  QUERIED: { bg: "bg.warning", color: "fg.warning", icon: <HelpIcon /> },
};

/** The steps of a payment, in order. */
export function Story({ story }: { story: Step[] }) {
  return (
    <chakra.ol listStyleType="none">
      {story.map((step, at) => {
        const { bg, color, icon } = looks[step.step] ?? done;
        return (
          <chakra.li
            key={`${step.step}${step.at}${step.title}`}
            data-step={step.step}
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
            <Flex boxSize="8" flexShrink="0" borderRadius="full" bg={bg} color={color} align="center" justify="center">
              {icon}
            </Flex>
            <Box minWidth="0" pt="1" overflowWrap="anywhere">
              <chakra.p fontWeight="600" textStyle="body">
                {step.title}
              </chakra.p>
              <chakra.p textStyle="body" color="fg.muted">
                {step.detail}
              </chakra.p>
              {step.step !== "WAITING" && (
                <chakra.p textStyle="small" color="fg.muted">
                  {moment(step.at)}
                </chakra.p>
              )}
            </Box>
          </chakra.li>
        );
      })}
    </chakra.ol>
  );
}
