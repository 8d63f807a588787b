import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import type { DisputeStep } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { report } from "@/store/report";
import { Button } from "@/ui/Button";
import { CheckIcon, ClockIcon, CloseIcon, FileIcon, HelpIcon, ProfileIcon, UndoIcon, WarningIcon } from "@/ui/icons";
import { fileTexts, stepTexts } from "../texts";

const member = { bg: "bg.brand", color: "fg.brand", icon: <ProfileIcon /> };
const late = { bg: "bg.danger", color: "fg.danger", icon: <WarningIcon /> };

const plain = { bg: "bg.muted", color: "fg.muted", icon: <CheckIcon /> };

const looks: Record<string, { bg: string; color: string; icon: ReactNode }> = {
  OPENED: member,
  TAKEN: plain,
  ASKED: { bg: "bg.warning", color: "fg.warning", icon: <HelpIcon /> },
  ADDED: member,
  ANSWERED: member,
  NOT_ANSWERED: { bg: "bg.muted", color: "fg.muted", icon: <ClockIcon /> },
  RESOLVED_UPHELD: { bg: "bg.success", color: "fg.success", icon: <CheckIcon /> },
  RESOLVED_REJECTED: { bg: "bg.muted", color: "fg.muted", icon: <CloseIcon /> },
  REOPENED: { bg: "bg.brand", color: "fg.brand", icon: <UndoIcon /> },
  WITHDRAWN: { bg: "bg.muted", color: "fg.muted", icon: <UndoIcon /> },
  TAKING_OVERDUE: late,
  DECISION_OVERDUE: late,
  BANK_OPENED: { bg: "bg.warning", color: "fg.warning", icon: <HelpIcon /> },
};

export type ReadPaper = (paper: string) => Promise<Blob>;

/** A file that was added, to be opened. */
export function Paper({ paper, at, name, read }: { paper: string; at: string; name: string; read: ReadPaper }) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await read(paper)
      .then((blob) => keepFile(blob, name))
      .catch((error: unknown) => report(error));
    setOpening(false);
  };
  return (
    <chakra.div mt="2">
      <Button
        variant="outline"
        icon={<FileIcon />}
        loading={opening}
        aria-label={fileTexts.openIt(moment(at))}
        onClick={open}
      >
        {fileTexts.open}
      </Button>
    </chakra.div>
  );
}

interface ThreadProps {
  steps: DisputeStep[];
  side: "member" | "desk";
  number: string;
  read: ReadPaper;
}

/** A step as it is called; one of a kind that this build does not know has no name. */
const nameOf = ({ kind }: DisputeStep, side: "member" | "desk") => (stepTexts[side] as Record<string, string>)[kind];

const untilOf = ({ kind, until }: DisputeStep) =>
  until && kind in stepTexts.until ? stepTexts.until[kind as keyof typeof stepTexts.until](moment(until)) : undefined;

function Line({ step, side, number, read }: Omit<ThreadProps, "steps"> & { step: DisputeStep }) {
  const { at, words, file } = step;
  const until = untilOf(step);
  return (
    <Box minWidth="0" flex="1" pt="1" overflowWrap="anywhere">
      <chakra.p fontWeight="600" textStyle="body">
        {nameOf(step, side)}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {moment(at)}
      </chakra.p>
      {words && (
        <chakra.p
          textStyle="body"
          whiteSpace="pre-wrap"
          bg={step.by === "MEMBER" ? "bg.brand" : "bg.muted"}
          borderRadius="md"
          px="4"
          py="3"
          mt="2"
        >
          {words}
        </chakra.p>
      )}
      {file && <Paper paper={file} at={at} name={fileTexts.name(number)} read={read} />}
      {until && (
        <chakra.p textStyle="small" color="fg.muted" mt="1.5">
          {until}
        </chakra.p>
      )}
    </Box>
  );
}

/** What was said and done in a dispute, in order, with its files to open. */
export function Thread({ steps, ...rest }: ThreadProps) {
  return (
    <chakra.ol listStyleType="none">
      {steps.map((step, at) => {
        const { bg, color, icon } = looks[step.kind] ?? plain;
        const last = at === steps.length - 1;
        return (
          <chakra.li
            key={`${step.position}${step.file ?? ""}`}
            data-step={step.kind}
            display="flex"
            gap="4"
            position="relative"
            pb={last ? "0" : "6"}
          >
            {!last && (
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
            <Line step={step} {...rest} />
          </chakra.li>
        );
      })}
    </chakra.ol>
  );
}
