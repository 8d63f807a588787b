import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { AjoPreview } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { termsTexts as t } from "../texts";

const Cell = chakra("td", { base: { py: "2", pe: "3", whiteSpace: "nowrap" } });
const Head = chakra("th", {
  base: { py: "2", pe: "3", textAlign: "start", color: "fg.muted", fontWeight: "500", whiteSpace: "nowrap" },
});

interface TableProps {
  title: string;
  heads: string[];
  rows: React.ReactNode[][];
}

/** A table that scrolls by itself on a phone. */
function Table({ title, heads, rows }: TableProps) {
  return (
    <chakra.div overflowX="auto" role="region" aria-label={title} tabIndex={0}>
      <chakra.table width="full" textStyle="small" borderCollapse="collapse">
        <chakra.caption textAlign="start" textStyle="label" mb="1">
          {title}
        </chakra.caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <Head key={head} scope="col">
                {head}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <chakra.tr key={String(row[0])} borderTopWidth="1px" borderColor="border">
              {row.map((fact, at) => (
                <Cell key={heads[at]}>{fact}</Cell>
              ))}
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}

/** Every due day, and what each turn costs. */
export function Calendar({ preview }: { preview: AjoPreview }) {
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="4">
      <Button variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t.hide : t.show}
      </Button>
      {open && (
        <>
          <Table
            title={t.calendar}
            heads={[t.cycle, t.opens, t.due, t.latest]}
            rows={preview.calendar.map(({ cycle, opens, due, deadline }) => [
              cycle,
              shortDay(opens),
              shortDay(due),
              shortDay(deadline),
            ])}
          />
          <Table
            title={t.turns}
            heads={[t.turn, t.before, t.collects, t.after]}
            rows={preview.turns.map(({ turn, paysBefore, collects, paysAfter }) => [
              turn,
              <Naira key="before" amount={paysBefore} />,
              <Naira key="collects" amount={collects} />,
              <Naira key="after" amount={paysAfter} />,
            ])}
          />
        </>
      )}
    </Stack>
  );
}

const monthly = (amount: number): [string, React.ReactNode] => [t.monthly, <Naira key="monthly" amount={amount} />];

/** What terms come to for one hand. */
export function Sums({ preview }: { preview: AjoPreview }) {
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4" data-preview>
      <Facts
        rows={[
          [t.total, <Naira key="total" amount={preview.total} />],
          [t.pot, <Naira key="pot" amount={preview.pot} />],
          [t.fee, <Naira key="fee" amount={preview.fee} />],
          [t.deposit, <Naira key="deposit" amount={preview.deposit} />],
          ...(preview.monthly === undefined ? [] : [monthly(preview.monthly)]),
        ]}
      />
    </chakra.div>
  );
}
