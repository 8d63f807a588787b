import { Box, chakra, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Replay } from "@/api/schema.gen";
import { exactTime } from "@/lib/clocks";
import { shortDay } from "@/lib/dates";
import { toKobo, toNaira } from "@/lib/money";
import { Naira } from "@/ui/money/Naira";
import { machineTexts as t } from "../texts";

interface Line {
  account: string;
  label: string;
  kept: number;
  now: number;
  difference: number;
}

/** Every account of either moment; one that was not there yet held nothing. */
export function difference(kept: Replay, now: Replay): Line[] {
  const lines = new Map<string, Line>();
  const note = (which: "kept" | "now", { accounts }: Replay) => {
    for (const { account, label, balance } of accounts) {
      const line = lines.get(account) ?? { account, label, kept: 0, now: 0, difference: 0 };
      lines.set(account, { ...line, [which]: balance });
    }
  };
  note("kept", kept);
  note("now", now);
  return [...lines.values()].map((line) => ({
    ...line,
    difference: toNaira(toKobo(line.now) - toKobo(line.kept)),
  }));
}

function Figure({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <Box display="flex" justifyContent="space-between" gap="3" flexDirection={{ md: "column" }} minWidth="0">
      <chakra.dt textStyle="small" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd fontWeight={strong ? "700" : "600"} fontSize={{ md: "lg" }}>
        {children}
      </chakra.dd>
    </Box>
  );
}

function Row({ line: { account, label, kept, now, difference: by }, names }: { line: Line; names: [string, string] }) {
  return (
    <chakra.li
      py="3"
      borderTopWidth="1px"
      borderColor="border"
      _first={{ borderTopWidth: "0" }}
      data-difference={account}
      data-by={by}
    >
      <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere" mb="1.5">
        {label}
      </chakra.p>
      <chakra.dl
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "repeat(3, minmax(0, 1fr))" }}
        columnGap="4"
        rowGap="1"
        bg={by === 0 ? undefined : "bg.brand"}
        borderRadius="md"
        px={by === 0 ? "0" : "3"}
        py={by === 0 ? "0" : "2"}
      >
        <Figure name={names[0]}>
          <Naira amount={kept} />
        </Figure>
        <Figure name={names[1]}>
          <Naira amount={now} />
        </Figure>
        <Figure name={t.difference} strong>
          {by > 0 && "+"}
          <Naira amount={by} />
        </Figure>
      </chakra.dl>
    </chakra.li>
  );
}

interface DifferencesProps {
  label: string;
  lines: Line[];
  /** What the two figures of a line are called. */
  names: [string, string];
}

/** Accounts with two figures each, and by how much they differ. */
export function Differences({ label, lines, names }: DifferencesProps) {
  return (
    <chakra.ul listStyleType="none" aria-label={label}>
      {lines.map((line) => (
        <Row key={line.account} line={line} names={names} />
      ))}
    </chakra.ul>
  );
}

const nameOf = ({ position, recordedAt }: Replay) =>
  `${t.position(position)}, ${shortDay(recordedAt)}, ${exactTime(recordedAt)}`;

/** Two moments beside each other, account by account; those that differ first. */
export function Compare({ kept, now }: { kept: Replay; now: Replay }) {
  const lines = difference(kept, now);
  const changed = lines.filter((line) => line.difference !== 0);
  const same = lines.filter((line) => line.difference === 0);
  return (
    <Stack gap="3" data-compare>
      <chakra.p textStyle="body">{t.compareLead(nameOf(kept), nameOf(now))}</chakra.p>
      {changed.length === 0 && <chakra.p color="fg.muted">{t.unchanged}</chakra.p>}
      <Differences label={t.compare} lines={[...changed, ...same]} names={[t.kept, t.now]} />
    </Stack>
  );
}
