import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useMemo, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import type { Standing } from "@/api/groups";
import type { Group, Member } from "@/api/schema.gen";
import { GroupFrame, groupTexts, mayApprove, useDetails } from "@/features/groups/frame";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { TextField } from "@/ui/form/fields";
import { ShareIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { LongList } from "@/ui/LongList";
import { lazyPart } from "@/ui/lazyPart";
import { ListSkeleton } from "@/ui/Skeletons";
import { AddMember } from "../parts/AddMember";
import { MemberRow } from "../parts/MemberRow";
import { MemberView } from "../parts/MemberView";
import { useMembers } from "../parts/useMembers";
import { memberTexts as t } from "../texts";

const BulkBar = lazyPart(() => import("../parts/BulkBar").then((m) => m.BulkBar));

const TYPING_PAUSE_MS = 300;
const ROW_PX = 72;
const FILTERS = Object.keys(t.filters) as (keyof typeof t.filters)[];

const isStanding = (text: string | null): text is Standing => text !== null && text !== "ALL" && text in t.filters;

/** The search and the status looked for; the status is kept in the address. */
function useFilters() {
  const [query, setQuery] = useSearchParams();
  const [typed, setTyped] = useState("");
  const [sought, setSought] = useState("");
  useEffect(() => {
    const later = setTimeout(() => setSought(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(later);
  }, [typed]);
  const wanted = query.get("status");
  const status = isStanding(wanted) ? wanted : undefined;
  return {
    typed,
    setTyped,
    status,
    setStatus: (next: keyof typeof t.filters) => setQuery(next === "ALL" ? {} : { status: next }, { replace: true }),
    filters: { ...(sought ? { q: sought } : {}), ...(status ? { status } : {}) },
  };
}

/** Statuses as buttons; how many wait is said where one may know. */
function Statuses({ group, use }: { group: Group; use: ReturnType<typeof useFilters> }) {
  const { remote } = useDetails(group.id);
  const counts: Partial<Record<string, number>> =
    remote.state === "ready"
      ? { PENDING: remote.value.waiting, INVITED: remote.value.invited, INACTIVE: remote.value.inactive }
      : {};
  return (
    <Flex role="group" aria-label={t.filter} gap="2" wrap="wrap">
      {FILTERS.map((name) => {
        const chosen = (use.status ?? "ALL") === name;
        const count = counts[name];
        return (
          <Button
            key={name}
            variant={chosen ? "secondary" : "outline"}
            aria-pressed={chosen}
            onClick={() => use.setStatus(name)}
          >
            {count ? t.counted(t.filters[name], count) : t.filters[name]}
          </Button>
        );
      })}
    </Flex>
  );
}

/** Who is selected, by their id: as they are on screen now. */
function useSelection(members: Member[]) {
  const own = useStore((state) => state.session?.id);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const choosable = useMemo(
    () => members.filter(({ status, role, userId }) => status !== "INVITED" && role !== "OWNER" && userId !== own),
    [members, own],
  );
  const chosen = choosable.filter(({ userId }) => ids.has(userId));
  return {
    chosen,
    choosable,
    may: (member: Member) => choosable.includes(member),
    has: (id: string) => ids.has(id),
    set: (id: string, on: boolean) =>
      setIds((before) => {
        const next = new Set(before);
        if (on) next.add(id);
        else next.delete(id);
        return next;
      }),
    all: (on: boolean) => setIds(new Set(on ? choosable.map(({ userId }) => userId) : [])),
  };
}

type Selection = ReturnType<typeof useSelection>;

function SelectAll({ selection }: { selection: Selection }) {
  const { chosen, choosable, all } = selection;
  if (choosable.length === 0) return null;
  return (
    <chakra.label display="inline-flex" alignItems="center" gap="3" minHeight="11" cursor="pointer" textStyle="label">
      <chakra.input
        type="checkbox"
        boxSize="5"
        accentColor="brand"
        checked={chosen.length === choosable.length}
        onChange={(event) => all(event.target.checked)}
      />
      {t.selectAll}
    </chakra.label>
  );
}

function List({ group }: { group: Group }) {
  const use = useFilters();
  const found = useMembers(group.id, use.filters);
  const selection = useSelection(found.members);
  const [query] = useSearchParams();
  const [open, setOpen] = useState(query.get("member") ?? undefined); // A notification names who it is about.
  const bulk = mayApprove(group) && !hasEnded(group);
  const shown = found.members.find(({ userId }) => userId === open);
  return (
    <Stack gap="4">
      <Card>
        <Stack gap="4">
          <TextField
            label={t.search}
            type="search"
            autoComplete="off"
            maxLength={100}
            placeholder={t.searchPlaceholder}
            value={use.typed}
            onChange={(event) => use.setTyped(event.target.value)}
          />
          <Statuses group={group} use={use} />
          <Loaded remote={found.remote} skeleton={<ListSkeleton rows={6} />} onRetry={found.load}>
            {() => (
              <Box>
                <Flex justify="space-between" align="center" wrap="wrap" columnGap="4">
                  {bulk && <SelectAll selection={selection} />}
                  <chakra.p role="status" textStyle="small" color="fg.muted">
                    {found.count === 0 ? t.none : t.count(found.count)}
                  </chakra.p>
                </Flex>
                <LongList
                  label={t.list}
                  items={found.members}
                  idOf={({ userId }) => userId}
                  rowPx={ROW_PX}
                  more={found.more}
                  paging={found.paging}
                >
                  {(member) => (
                    <MemberRow
                      member={member}
                      selected={bulk ? (selection.may(member) ? selection.has(member.userId) : null) : undefined}
                      onSelect={(on) => selection.set(member.userId, on)}
                      onOpen={() => setOpen(member.userId)}
                    />
                  )}
                </LongList>
              </Box>
            )}
          </Loaded>
        </Stack>
      </Card>
      {bulk && <BulkBar groupId={group.id} chosen={selection.chosen} onClear={() => selection.all(false)} />}
      {shown && <MemberView group={group} member={shown} onClose={() => setOpen(undefined)} />}
    </Stack>
  );
}

export function Members() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="column">
      <GroupFrame
        id={id}
        tab="members"
        page={groupTexts.members}
        action={(group) =>
          !hasEnded(group) && (
            <>
              {mayApprove(group) && <AddMember groupId={group.id} />}
              {group.invitationLink && (
                <LinkButton to={paths.invite(group.id)} variant="outline" icon={<ShareIcon />}>
                  {groupTexts.invite}
                </LinkButton>
              )}
            </>
          )
        }
      >
        {(group) => <List group={group} />}
      </GroupFrame>
    </Box>
  );
}
