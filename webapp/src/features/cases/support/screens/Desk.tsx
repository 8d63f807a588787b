import { chakra, Flex, Stack } from "@chakra-ui/react";
import { Link, useSearchParams } from "react-router";
import { getCorrections } from "@/api/corrections";
import type { CaseList } from "@/api/support";
import { getCases } from "@/api/support";
import { paths, type SupportTab } from "@/lib/paths";
import { usePages } from "@/store/useRead";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { ListSkeleton } from "@/ui/Skeletons";
import { CaseLine } from "../parts/CaseLine";
import { Remedies } from "../remedies/Remedies";
import { deskTexts as t } from "../texts";

type CaseTab = Exclude<SupportTab, "remedies">;

const lists: Record<Exclude<CaseTab, "plans">, CaseList> = { open: "OPEN", mine: "MINE", over: "OVER" };
const tabs: SupportTab[] = ["open", "mine", "plans", "remedies", "over"];

const read = (tab: CaseTab, before?: string) =>
  tab === "plans" ? getCorrections(before) : getCases(lists[tab], before);

function Tabs({ current, counts }: { current: SupportTab; counts: Partial<Record<SupportTab, number>> }) {
  return (
    <chakra.nav aria-label={t.tabsLabel} mb="5" overflowX="auto">
      <chakra.ul listStyleType="none" display="flex" gap="1" borderBottomWidth="1px" borderColor="border">
        {tabs.map((tab) => (
          <li key={tab}>
            <chakra.a
              asChild
              display="inline-flex"
              alignItems="center"
              minHeight="11"
              px="4"
              whiteSpace="nowrap"
              fontSize="sm"
              fontWeight="600"
              borderBottomWidth="3px"
              borderColor={tab === current ? "brand" : "transparent"}
              color={tab === current ? "fg.brand" : "fg"}
              _focusVisible={{ outlineOffset: "-3px" }}
            >
              <Link to={paths.support(tab)} aria-current={tab === current ? "page" : undefined}>
                {t.counted(t.tabs[tab], counts[tab])}
              </Link>
            </chakra.a>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}

/** For those who look into disputes: what is open, what one has, what is decided, and whose account was stolen. */
export function Desk() {
  const [query] = useSearchParams();
  const current = tabs.find((tab) => tab === query.get("tab")) ?? "open";
  return (
    <chakra.div>
      <title>{`${t.title} · Adashi`}</title>
      {current === "remedies" ? (
        <>
          <PageHead title={t.title} detail={t.lead} />
          <Tabs current={current} counts={{}} />
          <Remedies />
        </>
      ) : (
        <Cases current={current} />
      )}
    </chakra.div>
  );
}

function Cases({ current }: { current: CaseTab }) {
  const { remote, rows, first, load, askMore, paging } = usePages({
    key: `cases:${current}`,
    area: "support",
    topics: ["desk:support"],
    rows: "cases",
    read: ({ before }) => read(current, before),
  });
  return (
    <>
      <PageHead
        title={t.title}
        detail={
          first
            ? `${t.counts(first.open, first.waiting, first.late)}.${first.bank > 0 ? ` ${t.bank(first.bank)}.` : ""}`
            : t.lead
        }
      />
      <Tabs current={current} counts={first ? { open: first.open, mine: first.mine } : {}} />
      <Card>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
          {() =>
            rows.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.noneTitle[current]}>
                {t.none[current]}
              </Empty>
            ) : (
              <Stack gap="0">
                <chakra.ul listStyleType="none" aria-label={t.list}>
                  {rows.map((row) => (
                    <CaseLine key={row.id} row={row} />
                  ))}
                </chakra.ul>
                <Flex>
                  <More onMore={askMore} busy={paging} />
                </Flex>
              </Stack>
            )
          }
        </Loaded>
      </Card>
    </>
  );
}
