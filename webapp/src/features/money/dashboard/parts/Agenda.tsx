import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { AgendaRow } from "@/api/schema.gen";
import { daysTo } from "@/lib/dates";
import { transferWords } from "@/lib/texts/money";
import { useTransfers } from "@/store/payment/useTransfers";
import { agendaSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { dashboardTexts as t } from "../texts";

/** How many rows are shown until more are asked for. */
const FIRST = 5;
/** Rows whose button moves money: theirs is the strong one. */
const MONEY: AgendaRow["kind"][] = ["GROUP_DUE", "AJO_DUE", "AJO_DEPOSIT", "POT", "DEBT"];

/** The due of a group as a payment that was started for it knows it. */
function dueOf({ link, amount = 0 }: AgendaRow) {
  const query = new URLSearchParams(link.split("?")[1]);
  const period = query.get("period") ?? "";
  return {
    subAccountId: query.get("subAccountId") ?? "",
    period,
    monthId: Number(period.slice(5, 7)),
    outstanding: amount,
  };
}

function When({ due, late }: Pick<AgendaRow, "due" | "late">) {
  if (!due) return null;
  return (
    <chakra.span color={late ? "fg.danger" : undefined} fontWeight={late ? "600" : undefined}>
      {" · "}
      {t.due(daysTo(due))}
    </chakra.span>
  );
}

function Row({ row, started }: { row: AgendaRow; started?: keyof typeof transferWords }) {
  const { kind, title, place, amount, due, late, button, link } = row;
  const action = started ? transferWords[started] : button;
  return (
    <Flex as="li" data-kind={kind} gap="3" py="3" align="center" justify="space-between">
      <chakra.div minWidth="0">
        <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
          {title}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
          {place?.name}
          {amount !== undefined && (
            <>
              {place && " · "}
              <Naira amount={amount} />
            </>
          )}
          <When due={due} late={late} />
        </chakra.p>
      </chakra.div>
      <Box flexShrink="0" maxWidth="50%">
        <LinkButton to={link} variant={MONEY.includes(kind) ? "primary" : "outline"} aria-label={`${action} ${title}`}>
          {action}
        </LinkButton>
      </Box>
    </Flex>
  );
}

function Rows({ rows }: { rows: AgendaRow[] }) {
  const [all, setAll] = useState(false);
  const dues = rows.filter(({ kind }) => kind === "GROUP_DUE");
  const transferOf = useTransfers(dues.map(dueOf));
  const shown = all ? rows : rows.slice(0, FIRST);
  if (rows.length === 0) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.nothing}
      </chakra.p>
    );
  }
  return (
    <>
      <Stack as="ul" gap="0" divideY="1px" divideColor="border" listStyleType="none">
        {shown.map((row) => (
          <Row
            key={row.id}
            row={row}
            started={row.kind === "GROUP_DUE" ? transferOf(dueOf(row))?.channel : undefined}
          />
        ))}
      </Stack>
      {shown.length < rows.length && (
        <Button variant="outline" fullWidth onClick={() => setAll(true)}>
          {t.more(rows.length - shown.length)}
        </Button>
      )}
    </>
  );
}

/** What waits for the person signed in, in every area: each row with its one button. */
export function Agenda() {
  const { remote, load } = useRead(agendaSource);
  return (
    <Card title={t.agenda}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={FIRST} />} onRetry={load}>
        {(rows) => <Rows rows={rows} />}
      </Loaded>
    </Card>
  );
}
