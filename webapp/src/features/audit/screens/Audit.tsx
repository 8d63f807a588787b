import { Box, chakra, Grid, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { type AuditOf, type AuditState, auditAsCsv, getAudit, markPayments } from "@/api/audit";
import { paths } from "@/app/paths";
import { GroupFrame, isOfficial, SubAccountPick } from "@/features/group";
import { Watch } from "@/features/witness";
import { lagosDay } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { report } from "@/store/report";
import { groupSource, ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/form/fields";
import { DownloadIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Coverage } from "../parts/Coverage";
import { Desk } from "../parts/Desk";
import { type Audited, useQueue } from "../parts/useQueue";
import { auditTexts as t } from "../texts";

interface Filters {
  state: AuditState | "SAMPLE" | "";
  subAccountId: string;
  from: string;
  to: string;
}

const toDo: Filters = { state: "UNREVIEWED", subAccountId: "", from: "", to: "" };

const audited = (groupId: string, of: AuditOf): Audited => ({
  ...ofGroup(groupId),
  key: `audit:${groupId}:${JSON.stringify(of)}`,
  state: of.state,
  words: t,
  read: (before) => getAudit(groupId, { ...of, before }),
  mark: (key, marks, seen) => markPayments(key, groupId, marks, seen),
  // The group's page says how far the audit is.
  marked: () => void useStore.getState().load(groupSource(groupId)),
});

const bare = ({ state, ...others }: Filters): AuditOf => ({
  ...(state === "SAMPLE" ? { sample: true } : state && { state }),
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== "")),
});

interface FilterBarProps {
  groupId: string;
  value: Filters;
  onChange: (next: Filters) => void;
}

function FilterBar({ groupId, value, onChange }: FilterBarProps) {
  const set = (change: Partial<Filters>) => onChange({ ...value, ...change });
  const upsideDown = value.from !== "" && value.to !== "" && value.from > value.to;
  return (
    <SimpleGrid as="search" columns={{ base: 1, md: 2 }} gap="4">
      <SelectField
        label={t.state}
        value={value.state}
        onChange={(event) => set({ state: event.target.value as Filters["state"] })}
      >
        {Object.entries(t.states).map(([state, words]) => (
          <option key={state} value={state === "ALL" ? "" : state}>
            {words}
          </option>
        ))}
      </SelectField>
      <SubAccountPick
        groupId={groupId}
        value={value.subAccountId}
        all
        onChange={(subAccountId) => set({ subAccountId })}
      />
      <TextField
        label={t.from}
        type="date"
        max={lagosDay()}
        value={value.from}
        onChange={(event) => set({ from: event.target.value })}
      />
      <TextField
        label={t.to}
        type="date"
        max={lagosDay()}
        value={value.to}
        error={upsideDown ? t.order : undefined}
        onChange={(event) => set({ to: event.target.value })}
      />
    </SimpleGrid>
  );
}

function Csv({ groupId, filters }: { groupId: string; filters: Filters }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      keepFile(await auditAsCsv(groupId, bare(filters)), t.file);
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

interface WorkProps {
  groupId: string;
  filters: Filters;
  /** The payment to begin with. */
  wanted?: string;
  onFilter: (to: Filters) => void;
}

function Work({ groupId, filters, wanted, onFilter }: WorkProps) {
  const queue = useQueue(audited(groupId, bare(filters)), wanted);
  return (
    <Stack gap="4">
      <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
        {queue.coverage && <Coverage coverage={queue.coverage} />}
        <Card>
          <FilterBar groupId={groupId} value={filters} onChange={onFilter} />
        </Card>
      </Grid>
      <Loaded remote={queue.remote} skeleton={<ListSkeleton rows={6} />} onRetry={queue.load}>
        {() =>
          queue.payments.length === 0 ? (
            <Card>
              <Empty picture={<OpenBook />} title={filters.state === "UNREVIEWED" ? t.noneTitle : t.noneFits}>
                {filters.state === "UNREVIEWED" && t.none}
              </Empty>
            </Card>
          ) : (
            <Desk queue={queue} />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The validator's desk: every payment beside its evidence, the odd ones first. */
export function Audit() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const wanted = query.get("payment") ?? undefined;
  // A payment that is asked for may have been marked since.
  const [filters, setFilters] = useState<Filters>(() => {
    if (query.has("sample")) return { ...toDo, state: "SAMPLE" };
    return wanted ? { ...toDo, state: "" } : toDo;
  });
  return (
    <GroupFrame
      id={id}
      page={t.title}
      action={(group) =>
        isOfficial(group) && (
          <>
            {group.role === "VALIDATOR" && (
              <LinkButton to={paths.auditDesk} variant="ghost">
                {t.across}
              </LinkButton>
            )}
            <LinkButton to={paths.months(id)} variant="ghost">
              {t.closedMonths}
            </LinkButton>
            <Csv groupId={id} filters={filters} />
          </>
        )
      }
    >
      {(group) => (
        <Box>
          <chakra.p color="fg.muted" mt="-4" mb="5">
            {isOfficial(group) ? t.lead : t.closed}
          </chakra.p>
          {isOfficial(group) && <Work groupId={id} filters={filters} wanted={wanted} onFilter={setFilters} />}
          {group.role === "VALIDATOR" && (
            <Box mt="4">
              <Watch />
            </Box>
          )}
        </Box>
      )}
    </GroupFrame>
  );
}
