import { getMonths } from "@/api/records";
import { ofWallet } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { MonthsChart } from "@/ui/money/MonthsChart";
import { ListSkeleton } from "@/ui/Skeletons";
import { flowTexts as t } from "../texts";

const MONTHS = 12;

const series = [
  { name: t.in, colour: "green" },
  { name: t.out, colour: "grayControl" },
];

/** Money into and out of the wallet, month by month. */
export function Flow() {
  const { remote, load } = useRead({ ...ofWallet, key: "months", read: () => getMonths(MONTHS) });
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {(months) => (
          <MonthsChart
            series={series}
            months={months.map(({ moneyIn, moneyOut, ...month }) => ({ ...month, values: [moneyIn, moneyOut] }))}
            words={t}
            small
          />
        )}
      </Loaded>
    </Card>
  );
}
