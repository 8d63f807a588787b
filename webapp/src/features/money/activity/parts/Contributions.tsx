import { Box, chakra } from "@chakra-ui/react";
import type { MonthTotal } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { isThrifty } from "@/lib/thrift";
import { dashboardSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { VisuallyHidden } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { BarChart } from "@/ui/money/BarChart";
import { ListSkeleton } from "@/ui/Skeletons";
import { chartTexts as t } from "../texts";

const series = [{ name: t.contributed, colour: "brandLine" }];

function Chart({ months }: { months: MonthTotal[] }) {
  if (months.every((month) => month.contributed === 0)) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.chartEmpty}
      </chakra.p>
    );
  }
  return (
    <Box position="relative">
      <BarChart
        series={series}
        groups={months.map(({ month, label, contributed }) => ({
          key: month,
          label: label.slice(0, 3),
          values: [contributed],
        }))}
      />
      <VisuallyHidden asChild>
        <table>
          <caption>{t.chart}</caption>
          <thead>
            <tr>
              <th scope="col">{t.month}</th>
              <th scope="col">{t.contributed}</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.month}>
                <th scope="row">{month.label}</th>
                <td>{formatNaira(month.contributed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  );
}

/** The contributions of the last six months, of groups and ajo; nothing on a line that costs much. */
export function Contributions() {
  const thrifty = isThrifty();
  const { remote, load } = useRead(thrifty ? undefined : dashboardSource);
  if (thrifty) return null;
  return (
    <Card title={t.chart}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {({ months }) => <Chart months={months} />}
      </Loaded>
    </Card>
  );
}
