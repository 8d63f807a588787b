import { Box, chakra, Flex } from "@chakra-ui/react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { getMonths } from "@/api/records";
import type { MonthFlow } from "@/api/types";
import { formatNaira } from "@/lib/money";
import { flowTexts as t } from "@/lib/texts/rails";
import { useWalletReading } from "@/store/useWalletReading";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";

const MONTHS = 12;

const FlowChart = lazy(() => import("./FlowChart").then((m) => ({ default: m.FlowChart })));

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

const Key = ({ colour, name }: { colour: string; name: string }) => (
  <Flex align="center" gap="2">
    <Box boxSize="3" borderRadius="sm" bg={colour} />
    {name}
  </Flex>
);

/** The chart, fetched once it comes into view. */
function Drawn({ months }: { months: MonthFlow[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (seen || !place.current) return;
    const watching = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watching.observe(place.current);
    return () => watching.disconnect();
  }, [seen]);
  return (
    <Box ref={place} aria-hidden="true">
      <Flex gap="4" mb="2" textStyle="small" color="fg.muted">
        <Key colour="green" name={t.in} />
        <Key colour="grayControl" name={t.out} />
      </Flex>
      <Box height="13rem">
        <Suspense fallback={null}>{seen && <FlowChart months={months} />}</Suspense>
      </Box>
    </Box>
  );
}

/** Money into and out of the wallet, month by month. */
export function Flow() {
  const { remote, load } = useWalletReading(() => getMonths(MONTHS));
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
              <Drawn months={months} />
              <Table months={months} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
