import { chakra } from "@chakra-ui/react";
import { formatNaira } from "@/lib/money";
import { isThrifty } from "@/lib/thrift";
import { BarChart } from "./BarChart";

interface MonthsChartProps {
  /** The name and the colour of each of the two series. */
  series: { name: string; colour: string }[];
  months: { month: string; label: string; values: [number, number] }[];
  words: { month: string; table: string; empty: string };
  /** The table's name. */
  caption?: string;
  /** How the table looks: as large as the text about it, or smaller beneath a link. */
  small?: boolean;
}

function looks(small: boolean) {
  const cell = { textAlign: "end", py: "2" } as const;
  return small
    ? {
        summary: { textStyle: "body", color: "fg.brand", py: "2.5" } as const,
        textStyle: "small",
        cell: { ...cell, ps: "4" },
      }
    : {
        details: { mt: "3" },
        summary: { display: "flex", alignItems: "center", textStyle: "label" } as const,
        textStyle: "body",
        cell,
      };
}

/** The figures themselves: for who can't see the chart, and for who wants them to the kobo. */
function Table({ series, months, words, caption, small = false }: MonthsChartProps) {
  const { details, summary, textStyle, cell } = looks(small);
  return (
    <chakra.details {...details}>
      <chakra.summary minHeight="11" cursor="pointer" {...summary}>
        {words.table}
      </chakra.summary>
      <chakra.table width="full" textStyle={textStyle} fontVariantNumeric="tabular-nums">
        {caption && <caption hidden>{caption}</caption>}
        <thead>
          <tr>
            <chakra.th scope="col" textAlign="start" py="2">
              {words.month}
            </chakra.th>
            {series.map(({ name }) => (
              <chakra.th key={name} scope="col" {...cell}>
                {name}
              </chakra.th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, label, values: [first, second] }) => (
            <chakra.tr key={month} borderTopWidth="1px" borderColor="border">
              <chakra.th scope="row" textAlign="start" fontWeight="500" py="2">
                {label}
              </chakra.th>
              <chakra.td {...cell}>{formatNaira(first)}</chakra.td>
              <chakra.td {...cell}>{formatNaira(second)}</chakra.td>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.details>
  );
}

/** Two sums month by month: as bars, and as a table. */
export function MonthsChart(props: MonthsChartProps) {
  const { series, months, words } = props;
  if (months.every(({ values }) => values.every((value) => value === 0))) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {words.empty}
      </chakra.p>
    );
  }
  return (
    <>
      {!isThrifty() && (
        <BarChart
          series={series}
          groups={months.map(({ month, label, values }) => ({ key: month, label: label.slice(0, 3), values }))}
        />
      )}
      <Table {...props} />
    </>
  );
}
