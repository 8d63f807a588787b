import { Box, chakra } from "@chakra-ui/react";
import type { MonthTotal } from "@/api/types";
import { formatNaira, toKobo } from "@/lib/money";
import { dashboardTexts as t } from "@/lib/texts/activity";
import { Unseen } from "@/ui/bits";

const BAR = 44;
const GAP = 28;
const HEIGHT = 132;

/** "₦5k", "₦1.2m": the exact figures stand in the table beside it. */
function brief(naira: number): string {
  if (naira >= 1_000_000) return `₦${Math.round(naira / 100_000) / 10}m`;
  if (naira >= 1000) return `₦${Math.round(naira / 100) / 10}k`;
  return naira === 0 ? "–" : `₦${Math.round(naira)}`;
}

function Bars({ months }: { months: MonthTotal[] }) {
  const most = Math.max(1, ...months.map((month) => toKobo(month.contributed)));
  const width = months.length * (BAR + GAP);
  return (
    <chakra.svg viewBox={`0 0 ${width} ${HEIGHT + 52}`} width="full" maxHeight="13rem" aria-hidden="true">
      {months.map((month, at) => {
        const tall = Math.max(3, (toKobo(month.contributed) / most) * HEIGHT);
        const middle = at * (BAR + GAP) + (BAR + GAP) / 2;
        return (
          <g key={month.month}>
            <chakra.rect
              x={middle - BAR / 2}
              y={24 + HEIGHT - tall}
              width={BAR}
              height={tall}
              rx={Math.min(8, tall / 2)}
              fill={month.contributed > 0 ? "brandLine" : "grayLine"}
            />
            <chakra.text
              x={middle}
              y={16 + HEIGHT - tall}
              textAnchor="middle"
              fontSize="14px"
              fontWeight="600"
              fill="fg"
            >
              {brief(month.contributed)}
            </chakra.text>
            <chakra.text x={middle} y={HEIGHT + 46} textAnchor="middle" fontSize="14px" fill="fg.muted">
              {month.label.slice(0, 3)}
            </chakra.text>
          </g>
        );
      })}
    </chakra.svg>
  );
}

export function Chart({ months }: { months: MonthTotal[] }) {
  if (months.every((month) => month.contributed === 0)) {
    return (
      <chakra.p textStyle="body" color="fg.muted">
        {t.chartEmpty}
      </chakra.p>
    );
  }
  return (
    <Box position="relative">
      <Bars months={months} />
      <Unseen asChild>
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
      </Unseen>
    </Box>
  );
}
