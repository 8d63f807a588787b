import { Box, chakra, Grid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { type AuditOf, auditAsCsv, getAudit, markPayments, stateOf } from "@/api/audit";
import { GroupFrame, isOfficial, SubAccountPick } from "@/features/groups/frame";
import { Watch } from "@/features/trust/witness";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { report } from "@/store/report";
import { groupSource, ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { DownloadIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Coverage } from "../parts/Coverage";
import { Desk } from "../parts/Desk";
import { FilterBar, type OddityName, States } from "../parts/FilterBar";
import { Rechecks } from "../parts/Rechecks";
import { asked, type Filtering, type Filters, useFilters } from "../parts/useFilters";
import { type Audited, useQueue } from "../parts/useQueue";
import { auditTexts as t } from "../texts";

const lists = ["UNREVIEWED", "RECHECK", "SAMPLE", "VALIDATED", "QUERIED", "ANSWERED", "RESOLVED", "ALL"] as const;
type List = (typeof lists)[number];

/** Those that a payment of a group can have. */
const odd: OddityName[] = ["REFUNDED", "SOON_AGAIN", "UNLIKE", "PAID_BY_ANOTHER", "LATE"];

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

const askedOf = (list: List, filters: Filters): AuditOf => ({ ...stateOf(list), ...asked(filters) });

function Csv({ groupId, of }: { groupId: string; of: AuditOf }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      keepFile(await auditAsCsv(groupId, of), t.file);
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
  isOwner: boolean;
  filters: Filtering;
  of: AuditOf;
  /** The payment to begin with. */
  wanted?: string;
}

function Work({ groupId, isOwner, filters, of, wanted }: WorkProps) {
  const queue = useQueue(audited(groupId, of), wanted);
  const { member } = filters.filters;
  const toDo = filters.list === "UNREVIEWED" && filters.count === 0;
  return (
    <Stack gap="4">
      <Rechecks
        count={queue.rechecks}
        isOwner={isOwner}
        shown={filters.list === "RECHECK"}
        onShow={() => filters.toList("RECHECK")}
      />
      <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
        {queue.coverage && <Coverage coverage={queue.coverage} />}
        <FilterBar
          of={filters}
          odd={odd}
          member={member && queue.payments.find(({ userId }) => userId === member)?.name}
          lists={<States of={filters} states={lists} />}
        >
          <SubAccountPick
            groupId={groupId}
            value={filters.filters.subAccountId ?? ""}
            all
            onChange={(subAccountId) => filters.set({ subAccountId })}
          />
        </FilterBar>
      </Grid>
      <Loaded remote={queue.remote} skeleton={<ListSkeleton rows={6} />} onRetry={queue.load}>
        {() =>
          queue.payments.length === 0 ? (
            <Card>
              <Empty picture={<OpenBook />} title={toDo ? t.noneTitle : t.noneFits}>
                {toDo && t.none}
              </Empty>
            </Card>
          ) : (
            <Desk queue={queue} onMember={member ? undefined : (id) => filters.set({ member: id })} />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The list that an address opens: a payment that it names may have been marked since. */
function firstList(query: URLSearchParams): List {
  if (query.has("sample")) return "SAMPLE";
  if (query.has("recheck")) return "RECHECK";
  return query.has("payment") ? "ALL" : "UNREVIEWED";
}

/** The validator's desk: every payment beside its evidence, the odd ones first. */
export function Audit() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const [wanted] = useState(() => query.get("payment") ?? undefined);
  const filters = useFilters({ param: "state", lists, first: firstList(query), own: ["subAccountId"], desk: id });
  const of = askedOf(filters.list as List, filters.filters);
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
            <Csv groupId={id} of={of} />
          </>
        )
      }
    >
      {(group) => (
        <Box>
          <chakra.p color="fg.muted" mt="-4" mb="5">
            {isOfficial(group) ? t.lead : t.closed}
          </chakra.p>
          {isOfficial(group) && (
            <Work groupId={id} isOwner={group.role === "OWNER"} filters={filters} of={of} wanted={wanted} />
          )}
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
