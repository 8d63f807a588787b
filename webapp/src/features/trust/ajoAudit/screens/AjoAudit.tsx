import { Box, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { type AjoAuditOf, ajoAuditAsCsv, getAjoAudit, markAjoPayments, stateOf } from "@/api/audit";
import type { Ajo } from "@/api/schema.gen";
import {
  type Audited,
  asked,
  auditTexts,
  Coverage,
  Desk,
  FilterBar,
  type Filters,
  type OddityName,
  Pick,
  Rechecks,
  States,
  useFilters,
  useQueue,
} from "@/features/trust/audit";
import { Watch } from "@/features/trust/witness";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { ajoSource, ofAjo } from "@/store/ajoSources";
import { report } from "@/store/report";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { DownloadIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton, PageSkeleton } from "@/ui/Skeletons";
import { ajoAuditTexts as t } from "../texts";

const lists = ["UNREVIEWED", "RECHECK", "SAMPLE", "VALIDATED", "QUERIED", "ANSWERED", "RESOLVED", "ALL"] as const;
type List = (typeof lists)[number];

/** Those that a payment of an ajo can have. */
const odd: OddityName[] = ["PAID_BY_ANOTHER", "LATE", "GIVEN_BACK"];

const askedOf = (list: List, { cycle, ...others }: Filters): AjoAuditOf => ({
  ...stateOf(list),
  ...(cycle ? { cycle: Number(cycle) } : {}),
  ...asked(others),
});

const audited = (id: string, of: AjoAuditOf): Audited => ({
  ...ofAjo,
  key: `ajoAudit:${id}:${JSON.stringify(of)}`,
  state: of.state,
  words: t,
  read: (before) => getAjoAudit(id, { ...of, before }),
  mark: (key, marks, seen) => markAjoPayments(key, id, marks, seen),
});

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

function Work({ ajo, first }: { ajo: Ajo; first: List }) {
  const filters = useFilters({ param: "state", lists, first, own: ["cycle"], desk: ajo.id });
  const of = askedOf(filters.list as List, filters.filters);
  const queue = useQueue(audited(ajo.id, of));
  const { isValidator, isOwner } = ajo.me;
  const { member } = filters.filters;
  const toDo = filters.list === "UNREVIEWED" && filters.count === 0 && (queue.coverage?.total ?? 0) > 0;
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
      <Rechecks
        count={queue.rechecks}
        isOwner={isOwner}
        shown={filters.list === "RECHECK"}
        onShow={() => filters.toList("RECHECK")}
      />
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
        {queue.coverage && <Coverage coverage={queue.coverage} />}
        <FilterBar
          of={filters}
          odd={odd}
          member={member && queue.payments.find(({ userId }) => userId === member)?.name}
          lists={<States of={filters} states={lists} />}
        >
          <Pick
            name="cycle"
            label={t.cycle}
            any={t.allCycles}
            of={filters}
            options={ajo.cycles.map(({ cycle }) => [String(cycle), String(cycle)])}
          />
        </FilterBar>
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
            <Desk queue={queue} onMember={member ? undefined : (id) => filters.set({ member: id })} />
          )
        }
      </Loaded>
      {isValidator && <Watch />}
    </Stack>
  );
}

/** The list that an address opens. Who does not audit sees all. */
function firstList(query: URLSearchParams, isValidator: boolean): List {
  if (query.has("sample")) return "SAMPLE";
  if (query.has("recheck")) return "RECHECK";
  return isValidator ? "UNREVIEWED" : "ALL";
}

/** Every payment of an ajo beside its evidence, with the marks of who audits it. All members may look. */
export function AjoAudit() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const { remote, load } = useRead(ajoSource(id));
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajo(id)}>{t.back}</BackLink>
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(ajo) => <Work ajo={ajo} first={firstList(query, ajo.me.isValidator)} />}
      </Loaded>
    </Box>
  );
}
