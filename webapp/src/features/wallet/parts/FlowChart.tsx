import { Chart, useChart } from "@chakra-ui/charts";
import { Bar, BarChart, XAxis, YAxis } from "recharts";
import type { MonthFlow } from "@/api/types";
import { flowTexts as t } from "@/lib/texts/rails";

/** "₦5k", "₦1.2m": the exact figures stand in the table beneath. */
function brief(naira: number): string {
  if (naira >= 1_000_000) return `₦${Math.round(naira / 100_000) / 10}m`;
  if (naira >= 1000) return `₦${Math.round(naira / 100) / 10}k`;
  return naira === 0 ? "0" : `₦${Math.round(naira)}`;
}

const stillness = () => window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** Two bars a month. What is read aloud, and what the keyboard comes to, is the table. */
export function FlowChart({ months }: { months: MonthFlow[] }) {
  const chart = useChart({
    data: months,
    series: [
      { name: "moneyIn", label: t.in, color: "green" },
      { name: "moneyOut", label: t.out, color: "grayControl" },
    ],
  });
  return (
    <Chart.Root chart={chart} height="full" width="full">
      <BarChart
        responsive
        data={chart.data}
        accessibilityLayer={false}
        margin={{ left: 0, right: 4, top: 8, bottom: 0 }}
      >
        <XAxis
          dataKey={chart.key("label")}
          tickFormatter={(label: string) => label.slice(0, 3)}
          tickLine={false}
          axisLine={false}
        />
        <YAxis tickFormatter={brief} width={52} tickLine={false} axisLine={false} tickCount={4} />
        {chart.series.map(({ name, color }) => (
          <Bar
            key={name}
            dataKey={chart.key(name)}
            fill={chart.color(color)}
            radius={4}
            isAnimationActive={!stillness()}
          />
        ))}
      </BarChart>
    </Chart.Root>
  );
}
