import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { useState } from "react";
import { getUnsettled, remind } from "@/api/dues";
import type { Group } from "@/api/schema.gen";
import { MemberSearch, mayApprove, SubAccountPick, useAct } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { ofGroup } from "@/store/sources";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge, VisuallyHidden } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { Checkbox } from "@/ui/form/Checkbox";
import { BellIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { LongList } from "@/ui/LongList";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { ListSkeleton } from "@/ui/Skeletons";
import { unsettledTexts as t } from "../texts";
import { Debtor, type DebtorRow, remindDeed } from "./Debtor";

const ROW_PX = 84;
/** So many may be named in one reminder. */
const AT_ONCE = 500;

interface RowProps {
  row: DebtorRow;
  chosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
}

function Row({ row, chosen, onChoose, onOpen }: RowProps) {
  const { userId, name, outstanding, penalties, dues, oldest, remindedToday } = row;
  return (
    <Flex align="center" gap="2" py="2">
      <Checkbox label={t.choose(name)} checked={chosen} onChange={onChoose} />
      <chakra.button
        type="button"
        onClick={onOpen}
        data-debtor={userId}
        display="flex"
        flex="1"
        minWidth="0"
        minHeight="14"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        px="2"
        borderRadius="md"
        textAlign="start"
        cursor="pointer"
        _hover={{ bg: "bg.muted" }}
      >
        <VisuallyHidden>{t.open}</VisuallyHidden>
        <Person id={userId} name={name} detail={t.since(dues, shortDay(oldest))} />
        <Flex direction="column" align="flex-end" gap="1">
          <chakra.span fontWeight="600">
            <Naira amount={outstanding} />
          </chakra.span>
          {penalties > 0 && (
            <chakra.span textStyle="small" color="fg.muted">
              {t.penalties(formatNaira(penalties))}
            </chakra.span>
          )}
          {remindedToday && <Badge>{t.reminded}</Badge>}
        </Flex>
      </chakra.button>
    </Flex>
  );
}

/** Who of those shown is chosen; the choice is kept while the list moves. */
function useChoice(rows: DebtorRow[]) {
  const [ids, setIds] = useState<Set<string>>(new Set());
  const toggle = (id: string) =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id) && next.size < AT_ONCE) next.add(id);
      return next;
    });
  const all = () => setIds(new Set(rows.slice(0, AT_ONCE).map(({ userId }) => userId)));
  return { ids, toggle, all, clear: () => setIds(new Set()) };
}

interface RemindingProps {
  groupId: string;
  rows: DebtorRow[];
  /** How many owe in the whole group; absent where the list shows some of them alone. */
  everybody: number | undefined;
  choice: ReturnType<typeof useChoice>;
}

function Reminding({ groupId, rows, everybody, choice }: RemindingProps) {
  const { busy, act } = useAct(groupId);
  const [asking, setAsking] = useState(false);
  const ids = rows.map(({ userId }) => userId).filter((id) => choice.ids.has(id));
  const remindChosen = async () => {
    if (await act(remindDeed(groupId, ids), (key) => remind(key, groupId, ids))) choice.clear();
  };
  const remindAll = async () => Boolean(await act(remindDeed(groupId, []), (key) => remind(key, groupId)));
  return (
    <Flex gap="2" wrap="wrap" align="center" mb="2">
      {ids.length > 0 ? (
        <>
          <Button size="sm" icon={<BellIcon />} loading={busy !== undefined} onClick={remindChosen}>
            {t.remindChosen(ids.length)}
          </Button>
          <Button size="sm" variant="ghost" onClick={choice.clear}>
            {t.clear}
          </Button>
        </>
      ) : (
        <>
          {everybody !== undefined && (
            <Button size="sm" variant="outline" icon={<BellIcon />} onClick={() => setAsking(true)}>
              {t.remindAll}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={choice.all}>
            {t.chooseAll}
          </Button>
        </>
      )}
      <Confirm
        open={asking}
        title={t.remindTitle}
        yes={t.remindYes}
        no={t.remindNo}
        onClose={() => setAsking(false)}
        onYes={remindAll}
      >
        {t.remindText(everybody ?? 0)}
      </Confirm>
    </Flex>
  );
}

interface FoundProps {
  group: Group;
  rows: DebtorRow[];
  count: number;
  /** Whether a search or a sub-account leaves some out. */
  narrowed: boolean;
  total: number;
  more?: () => void;
  paging: boolean;
}

function Found({ group, rows, count, narrowed, total, more, paging }: FoundProps) {
  const choice = useChoice(rows);
  const [open, setOpen] = useState<string>();
  return (
    <>
      <chakra.p textStyle="body" color="fg.muted" mb="3" role="status">
        {t.sum(count, formatNaira(total))}
      </chakra.p>
      <Reminding groupId={group.id} rows={rows} everybody={narrowed ? undefined : count} choice={choice} />
      <LongList label={t.list} items={rows} idOf={(row) => row.userId} rowPx={ROW_PX} more={more} paging={paging}>
        {(row) => (
          <Row
            row={row}
            chosen={choice.ids.has(row.userId)}
            onChoose={() => choice.toggle(row.userId)}
            onOpen={() => setOpen(row.userId)}
          />
        )}
      </LongList>
      <Debtor
        groupId={group.id}
        row={rows.find(({ userId }) => userId === open)}
        mayWaive={mayApprove(group)}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
}

/** Who owes what, most first, for the group's officials. */
export function Debtors({ group }: { group: Group }) {
  const [q, setQ] = useState("");
  const [subAccountId, setSubAccount] = useState("");
  const of = { q: q || undefined, subAccountId: subAccountId || undefined };
  const { remote, rows, first, load, more, paging } = usePages({
    ...ofGroup(group.id),
    key: `debtors:${group.id}:${subAccountId}:${q}`,
    rows: "members",
    read: ({ before }) => getUnsettled(group.id, { ...of, before }),
  });
  return (
    <Card title={t.who}>
      <Box as="search" mb="4">
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          <MemberSearch onSearch={setQ} />
          <SubAccountPick groupId={group.id} value={subAccountId} all onChange={setSubAccount} />
        </SimpleGrid>
      </Box>
      <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
        {() =>
          rows.length === 0 ? (
            <Empty picture={<OpenBook />} title={t.noneTitle}>
              {q ? t.nobody : t.none}
            </Empty>
          ) : (
            <Found
              group={group}
              rows={rows}
              count={first?.count ?? rows.length}
              narrowed={q !== "" || subAccountId !== ""}
              total={first?.total ?? 0}
              more={more}
              paging={paging}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
