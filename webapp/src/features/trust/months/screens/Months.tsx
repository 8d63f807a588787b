import { Box, chakra, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import { getMonths } from "@/api/months";
import type { Months as Shown } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import type { Source } from "@/store/source";
import { useRead } from "@/store/useRead";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { CloseMonth } from "../parts/CloseMonth";
import { MonthCard } from "../parts/MonthCard";
import { monthsTexts as t } from "../texts";

const source = (id: string): Source<Shown> => ({
  area: "savings",
  topics: [`group:${id}`, "ajo"],
  key: `months:${id}`,
  read: () => getMonths(id),
});

function Page({ months, onClosed }: { months: Shown; onClosed: (next: Shown) => void }) {
  const { id, kind, name, closerName, mayClose, showsFigures } = months;
  return (
    <Stack gap="4">
      <Box>
        <BackLink to={kind === "AJO" ? paths.ajo(id) : paths.group(id)}>{t.back(name)}</BackLink>
        <PageHead title={t.title} detail={t.lead} />
      </Box>
      {!mayClose && closerName && <chakra.p color="fg.muted">{t.closer(closerName)}</chakra.p>}
      {!showsFigures && <Note>{t.hidden}</Note>}
      <CloseMonth key={months.toClose[0]?.month} months={months} onClosed={onClosed} />
      {months.months.map((month) => (
        <MonthCard key={month.month} months={months} month={month} onClosed={onClosed} />
      ))}
      {months.months.length === 0 && (
        <Card>
          <Empty picture={<OpenBook />} title={t.none}>
            {t.noneText}
          </Empty>
        </Card>
      )}
    </Stack>
  );
}

/** The closed months of a group or an ajo, for its members. */
export function Months() {
  const { id = "" } = useParams();
  const { remote, load, put } = useRead(source(id));
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(months) => <Page months={months} onClosed={put} />}
      </Loaded>
    </Box>
  );
}
