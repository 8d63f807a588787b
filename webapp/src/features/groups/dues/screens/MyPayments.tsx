import { Box, chakra, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useParams } from "react-router";
import { getHistory, getWholeHistory, type HistoryOf } from "@/api/dues";
import type { Group } from "@/api/schema.gen";
import { GroupFrame, isOfficial, SubAccountPick, seesTotals } from "@/features/groups/frame";
import { lagosDay } from "@/lib/dates";
import { ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { TextField } from "@/ui/form/fields";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { RollingNaira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { History } from "../parts/History";
import { Views } from "../parts/Views";
import { bookTexts, historyTexts as t } from "../texts";

interface Filters {
  all: boolean;
  subAccountId: string;
  from: string;
  to: string;
}

const none: Filters = { all: false, subAccountId: "", from: "", to: "" };

interface FilterBarProps {
  group: Group;
  value: Filters;
  onChange: (next: Filters) => void;
}

function Whose({ value, onChange }: Omit<FilterBarProps, "group">) {
  return (
    <Flex role="group" aria-label={t.whose} gap="2" mb="4">
      {[false, true].map((all) => (
        <Button
          key={String(all)}
          size="sm"
          variant={value.all === all ? "secondary" : "outline"}
          aria-pressed={value.all === all}
          onClick={() => onChange({ ...value, all })}
        >
          {all ? t.everybody : t.mine}
        </Button>
      ))}
    </Flex>
  );
}

function FilterBar({ group, value, onChange }: FilterBarProps) {
  const set = (change: Partial<Filters>) => onChange({ ...value, ...change });
  const upsideDown = value.from !== "" && value.to !== "" && value.from > value.to;
  const day = (name: "from" | "to", label: string) => (
    <TextField
      label={label}
      type="date"
      max={lagosDay()}
      value={value[name]}
      error={name === "to" && upsideDown ? bookTexts.order : undefined}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  return (
    <Box as="search" mb="5">
      {seesTotals(group) && <Whose value={value} onChange={onChange} />}
      <SimpleGrid columns={{ base: 2, md: 3 }} gap="4">
        <Box gridColumn={{ base: "span 2", md: "auto" }}>
          <SubAccountPick
            groupId={group.id}
            value={value.subAccountId}
            all
            onChange={(subAccountId) => set({ subAccountId })}
          />
        </Box>
        {day("from", bookTexts.from)}
        {day("to", bookTexts.to)}
      </SimpleGrid>
    </Box>
  );
}

/** The payments that the filters let through. */
function usePayments(group: Group, { all, ...filters }: Filters) {
  const own = useStore((state) => state.session?.id ?? "");
  const of: HistoryOf = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  const everything = all && isOfficial(group);
  return usePages({
    ...ofGroup(group.id),
    key: `history:${group.id}:${all}:${JSON.stringify(of)}`,
    rows: "payments",
    read: ({ before }) =>
      everything
        ? getWholeHistory(group.id, { ...of, before })
        : getHistory(group.id, own, all, { ...of, ...(before ? { before } : {}) }),
  });
}

function Payments({ group }: { group: Group }) {
  const [filters, setFilters] = useState(none);
  const { remote, rows: payments, first, load, more, paging } = usePayments(group, filters);
  const narrowed = filters.subAccountId !== "" || filters.from !== "" || filters.to !== "";
  return (
    <Card title={filters.all ? t.everybody : t.mine}>
      <FilterBar group={group} value={filters} onChange={setFilters} />
      <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
        {() =>
          payments.length === 0 ? (
            <Empty picture={<Purse />} title={t.noneTitle}>
              {narrowed ? t.noneFits : t.none}
            </Empty>
          ) : (
            <>
              <Flex align="baseline" gap="3" wrap="wrap" mb="3">
                <chakra.p textStyle="figure" data-history-total>
                  <RollingNaira amount={first?.total ?? 0} />
                </chakra.p>
                <chakra.p textStyle="body" color="fg.muted">
                  {t.total} · {t.count(first?.count ?? payments.length)}
                </chakra.p>
              </Flex>
              <History payments={payments} named={filters.all} more={more} paging={paging} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** One's own payments of a group with their totals; everybody's where the group's money is open. */
export function MyPayments() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="column">
      <GroupFrame id={id} tab="payments" page={t.title}>
        {(group) => (
          <Stack gap="4">
            <Views group={group} current="paid" />
            <Payments group={group} />
          </Stack>
        )}
      </GroupFrame>
    </Box>
  );
}
