import { Box, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { type AjoAuditOf, type AuditState, ajoAuditAsCsv, getAjoAudit, markAjoPayments } from "@/api/audit";
import type { Ajo } from "@/api/types";
import { paths } from "@/app/paths";
import { type Audited, auditTexts, Coverage, Desk, useQueue } from "@/features/audit";
import { Watch } from "@/features/witness";
import { keepFile } from "@/lib/files";
import { ajoSource, ofAjo } from "@/store/ajoSources";
import { report } from "@/store/report";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { DownloadIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton, PageSkeleton } from "@/ui/Skeletons";
import { ajoAuditTexts as t } from "../texts";

interface Filters {
  state: AuditState | "SAMPLE" | "";
  cycle: string;
}

const asked = ({ state, cycle }: Filters): AjoAuditOf => ({
  ...(state === "SAMPLE" ? { sample: true } : state ? { state } : {}),
  ...(cycle ? { cycle: Number(cycle) } : {}),
});

const audited = (id: string, of: AjoAuditOf): Audited => ({
  ...ofAjo,
  key: `ajoAudit:${id}:${JSON.stringify(of)}`,
  state: of.state,
  words: t,
  read: (before) => getAjoAudit(id, { ...of, before }),
  mark: (key, marks, seen) => markAjoPayments(key, id, marks, seen),
});

interface FilterProps {
  value: Filters;
  cycles: number[];
  onChange: (next: Filters) => void;
}

function FilterBar({ value, cycles, onChange }: FilterProps) {
  return (
    <SimpleGrid as="search" columns={2} gap="4">
      <SelectField
        label={auditTexts.state}
        value={value.state}
        onChange={(event) => onChange({ ...value, state: event.target.value as Filters["state"] })}
      >
        {Object.entries(auditTexts.states).map(([state, words]) => (
          <option key={state} value={state === "ALL" ? "" : state}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.cycle}
        value={value.cycle}
        onChange={(event) => onChange({ ...value, cycle: event.target.value })}
      >
        <option value="">{t.allCycles}</option>
        {cycles.map((cycle) => (
          <option key={cycle} value={cycle}>
            {cycle}
          </option>
        ))}
      </SelectField>
    </SimpleGrid>
  );
}

function Csv({ id, of }: { id: string; of: AjoAuditOf }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      keepFile(await ajoAuditAsCsv(id, of), t.file);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Button variant="outline" icon={<DownloadIcon />} loading={busy} onClick={save}>
      {auditTexts.csv}
    </Button>
  );
}

function Work({ ajo, first }: { ajo: Ajo; first: Filters }) {
  const [filters, setFilters] = useState(first);
  const of = asked(filters);
  const queue = useQueue(audited(ajo.id, of));
  const { isValidator, isOwner } = ajo.me;
  const toDo = filters.state === "UNREVIEWED" && (queue.coverage?.total ?? 0) > 0;
  return (
    <Stack gap="4">
      <PageHead
        title={t.title}
        detail={t.lead[isValidator ? "validator" : isOwner ? "owner" : "member"]}
        action={
          <>
            {isValidator && (
              <LinkButton to={paths.auditDesk} variant="ghost">
                {auditTexts.across}
              </LinkButton>
            )}
            <LinkButton to={paths.months(ajo.id)} variant="ghost">
              {auditTexts.closedMonths}
            </LinkButton>
            <Csv id={ajo.id} of={of} />
          </>
        }
      />
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
        {queue.coverage && <Coverage coverage={queue.coverage} />}
        <Card>
          <FilterBar value={filters} cycles={ajo.cycles.map(({ cycle }) => cycle)} onChange={setFilters} />
        </Card>
      </SimpleGrid>
      <Loaded remote={queue.remote} skeleton={<ListSkeleton rows={6} />} onRetry={queue.load}>
        {() =>
          queue.payments.length === 0 ? (
            <Card>
              <Empty picture={<OpenBook />} title={toDo ? auditTexts.noneTitle : auditTexts.noneFits}>
                {toDo ? auditTexts.none : queue.coverage?.total === 0 && t.notYet}
              </Empty>
            </Card>
          ) : (
            <Desk queue={queue} />
          )
        }
      </Loaded>
      {isValidator && <Watch />}
    </Stack>
  );
}

const isState = (text: string): text is AuditState => text !== "ALL" && text in auditTexts.states;

const firstState = (wanted: string, isValidator: boolean) =>
  isState(wanted) ? wanted : isValidator ? ("UNREVIEWED" as const) : "";

/** Every payment of an ajo beside its evidence, with the marks of who audits it. All members may look. */
export function AjoAudit() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const wanted = query.get("state") ?? "";
  const { remote, load } = useRead(ajoSource(id));
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <LinkButton to={paths.ajo(id)} variant="link">
        ← {t.back}
      </LinkButton>
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(ajo) => (
          <Work
            key={wanted}
            ajo={ajo}
            first={{ state: query.has("sample") ? "SAMPLE" : firstState(wanted, ajo.me.isValidator), cycle: "" }}
          />
        )}
      </Loaded>
    </Box>
  );
}
