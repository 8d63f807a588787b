import { chakra } from "@chakra-ui/react";
import { getMonths } from "@/api/records";
import type { MonthFlow } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { ofWallet } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { BarChart } from "@/ui/money/BarChart";
import { ListSkeleton } from "@/ui/Skeletons";
import { flowTexts as t } from "../texts";

const MONTHS = 12;

const series = [
  { name: t.in, colour: "green" },
  { name: t.out, colour: "grayControl" },
];

const cell = { textAlign: "end", py: "2", ps: "4" } as const;

/** The figures themselves: for who can't see the chart, and for who wants them to the kobo. */
function Table({ months }: { months: MonthFlow[] }) {
  return (
    <chakra.details>
      <chakra.summary cursor="pointer" textStyle="body" color="fg.brand" minHeight="11" py="2.5">
        {t.table}
      </chakra.summary>
      <chakra.table width="full" textStyle="small" fontVariantNumeric="tabular-nums">
        <thead>
          <tr>
            <chakra.th scope="col" textAlign="start" py="2">
              {t.month}
            </chakra.th>
            <chakra.th scope="col" {...cell}>
              {t.in}
            </chakra.th>
            <chakra.th scope="col" {...cell}>
              {t.out}
            </chakra.th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <chakra.tr key={month.month} borderTopWidth="1px" borderColor="border">
              <chakra.th scope="row" textAlign="start" fontWeight="500" py="2">
                {month.label}
              </chakra.th>
              <chakra.td {...cell}>{formatNaira(month.moneyIn)}</chakra.td>
              <chakra.td {...cell}>{formatNaira(month.moneyOut)}</chakra.td>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.details>
  );
}

/** Money into and out of the wallet, month by month. */
export function Flow() {
  const { remote, load } = useRead({ ...ofWallet, key: "months", read: () => getMonths(MONTHS) });
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {(months) =>
          months.every(({ moneyIn, moneyOut }) => moneyIn === 0 && moneyOut === 0) ? (
            <chakra.p textStyle="body" color="fg.muted">
              {t.empty}
            </chakra.p>
          ) : (
            <>
              <BarChart
                series={series}
                groups={months.map(({ month, label, moneyIn, moneyOut }) => ({
                  key: month,
                  label: label.slice(0, 3),
                  values: [moneyIn, moneyOut],
                }))}
              />
              <Table months={months} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
