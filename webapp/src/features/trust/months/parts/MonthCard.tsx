import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { ClosedMonth, Months } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { fingerprint } from "../proof/statement";
import { monthsTexts as t } from "../texts";
import { Attest } from "./Attest";
import { Check } from "./Check";

const tones = { NAMED: "brand", DRAWN: "warning", ATTESTED: "success" } as const;

/** What can be said of a month: what its sample showed, or what it waits for. */
function said(month: ClosedMonth): string {
  const { status, sentence, left, sample, drawAt, round } = month;
  if (status === "NAMED") return t.sentence.NAMED(moment(drawAt), round);
  if (status === "ATTESTED") return sentence ?? t.sentence.ATTESTED;
  return left === undefined || sample === undefined ? t.sentence.DRAWN : t.sentence.left(left, sample);
}

/** Whose device signed it, and by which key. */
function signature(name: string, { signedDevice, signedKey }: ClosedMonth): ReactNode {
  if (!signedDevice || !signedKey) return t.unsigned;
  return (
    <chakra.span data-signed={signedKey}>
      {t.signedBy(name, signedDevice)}{" "}
      <chakra.span fontFamily="mono" fontSize="sm" whiteSpace="nowrap">
        {fingerprint(signedKey)}
      </chakra.span>
    </chakra.span>
  );
}

function factsOf(month: ClosedMonth): [string, ReactNode][] {
  const { payments, always, drawn, validated, queried, resolved, namedByName, namedAt, attestedByName, attestedAt } =
    month;
  const figure = (name: string, value: number | undefined): [string, ReactNode][] =>
    value === undefined ? [] : [[name, value.toLocaleString("en-NG")]];
  return [
    [t.facts.sealed, t.by(namedByName, shortDay(namedAt))],
    ...figure(t.facts.payments, payments),
    ...figure(t.facts.always, always),
    ...figure(t.facts.drawn, drawn),
    ...(validated === undefined || queried === undefined || resolved === undefined
      ? []
      : [[t.facts.marks, t.marks(validated, queried, resolved)] as [string, ReactNode]]),
    ...(attestedByName && attestedAt
      ? ([
          [t.facts.closed, t.by(attestedByName, shortDay(attestedAt))],
          [t.facts.signed, signature(attestedByName, month)],
        ] as [string, ReactNode][])
      : []),
  ];
}

interface MonthProps {
  months: Months;
  month: ClosedMonth;
  onClosed: (next: Months) => void;
}

/** What whoever marks and closes the month does next. */
function Next({ months, month, onClosed }: MonthProps) {
  if (month.status !== "DRAWN") return null;
  return (
    <Flex gap="3" wrap="wrap">
      {months.showsFigures && (
        <LinkButton to={paths.sample(months.kind, months.id)} variant={month.left === 0 ? "outline" : undefined}>
          {t.look}
        </LinkButton>
      )}
      {months.mayClose && month.left === 0 && <Attest months={months} month={month} onClosed={onClosed} />}
    </Flex>
  );
}

export function MonthCard({ months, month, onClosed }: MonthProps) {
  const { label, status, changedSince = 0, test } = month;
  return (
    <Card title={label} action={<Badge tone={tones[status]}>{t.status[status]}</Badge>}>
      <Stack gap="4" data-month={month.month} data-status={status}>
        <chakra.p textStyle="body" fontWeight="600" data-said>
          {said(month)}
        </chakra.p>
        {changedSince > 0 && <Note tone="warning">{t.changed(changedSince)}</Note>}
        {test && status === "NAMED" && <Note tone="warning">{t.test}</Note>}
        <Box maxWidth="40rem">
          <Facts rows={factsOf(month)} />
        </Box>
        <Next months={months} month={month} onClosed={onClosed} />
        {months.showsFigures && status !== "NAMED" && (
          <Check id={months.id} month={month.month} label={label} test={test} />
        )}
      </Stack>
    </Card>
  );
}
