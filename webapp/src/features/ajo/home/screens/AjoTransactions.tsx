import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { ajoBookAsCsv } from "@/api/ajos";
import type { AjoHistoryLine, AjoRow } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { ajoHistorySource, myAjosSource } from "@/store/ajoSources";
import { report, succeed } from "@/store/report";
import { usePages, useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { DownloadIcon } from "@/ui/icons";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { historyTexts as t } from "../texts";

function Line({ line }: { line: AjoHistoryLine }) {
  const { title, ajoName, cycle, seat, date, amount, otherName, name } = line;
  const place = cycle && seat ? ` · ${t.place(cycle, seat)}` : "";
  return (
    <chakra.li display="flex" justifyContent="space-between" gap="4" flexWrap="wrap" py="3">
      <Box flex="1 1 12rem" minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600">{title}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {ajoName}
          {place} · {[name, otherName].filter(Boolean).join(" → ")} · {moment(date)}
        </chakra.p>
      </Box>
      <chakra.p fontWeight="600">
        <Naira amount={amount} />
      </chakra.p>
    </chakra.li>
  );
}

function Lines({ ajoId }: { ajoId: string }) {
  const { remote, rows, askMore, paging, load } = usePages(ajoHistorySource(ajoId || undefined));
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
      {() =>
        rows.length === 0 ? (
          <Empty picture={<Purse />} title={t.noneTitle}>
            {t.none}
          </Empty>
        ) : (
          <>
            <Stack as="ul" listStyleType="none" gap="0" divideY="1px" divideColor="border">
              {rows.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </Stack>
            <More onMore={askMore} busy={paging} />
          </>
        )
      }
    </Loaded>
  );
}

function Download({ ajo }: { ajo: AjoRow | undefined }) {
  const [busy, setBusy] = useState(false);
  if (!ajo) {
    return (
      <chakra.p textStyle="small" color="fg.muted">
        {t.csvHelp}
      </chakra.p>
    );
  }
  const save = async () => {
    setBusy(true);
    try {
      keepFile(await ajoBookAsCsv(ajo.id), t.file(ajo.name));
      succeed(t.saved);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Button variant="outline" icon={<DownloadIcon />} loading={busy} onClick={save}>
      {t.csv}
    </Button>
  );
}

/** What one paid and collected in all ajo, or all payments of one. */
export function AjoTransactions() {
  const { remote } = useRead(myAjosSource);
  const ajos = remote.state === "ready" ? remote.value : [];
  const [ajoId, setAjo] = useState("");
  return (
    <Box maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajoGroups}>{ajoWords.toGroups}</BackLink>
      <PageHead title={t.title} detail={t.lead} />
      <Card>
        <Flex gap="4" align="flex-end" wrap="wrap" mb="4">
          <Box flex="1 1 14rem">
            <SelectField label={t.which} value={ajoId} onChange={(event) => setAjo(event.target.value)}>
              <option value="">{t.every}</option>
              {ajos.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </Box>
          <Download ajo={ajos.find(({ id }) => id === ajoId)} />
        </Flex>
        <Lines key={ajoId} ajoId={ajoId} />
      </Card>
    </Box>
  );
}
