import { chakra } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { type FinanceTab, paths } from "@/lib/paths";
import { PageHead } from "@/ui/Card";
import { AjoDesk } from "../parts/AjoDesk";
import { DebtDesk } from "../parts/DebtDesk";
import { Members } from "../parts/Members";
import { Payouts } from "../parts/Payouts";
import { Reconciliations } from "../parts/Reconciliations";
import { UnmatchedDesk } from "../parts/UnmatchedDesk";
import { financeTexts as t } from "../texts";

const parts = {
  unmatched: UnmatchedDesk,
  reconciliation: Reconciliations,
  payouts: Payouts,
  debts: DebtDesk,
  members: Members,
  ajo: AjoDesk,
};
const tabs = Object.keys(parts) as FinanceTab[];

function Tabs({ current }: { current: FinanceTab }) {
  const list = useRef<HTMLUListElement>(null);
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    list.current?.children[tabs.indexOf(current)]?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <chakra.nav aria-label={t.tabsLabel} mb="5" overflowX="auto">
      <chakra.ul ref={list} listStyleType="none" display="flex" gap="1" borderBottomWidth="1px" borderColor="border">
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
              <Link to={paths.finance(tab)} aria-current={tab === current ? "page" : undefined}>
                {t.tabs[tab]}
              </Link>
            </chakra.a>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}

/** For those who look after the money: what fits nothing, what the banks say, and what is in doubt. */
export function Finance() {
  const [query] = useSearchParams();
  const current = tabs.find((tab) => tab === query.get("tab")) ?? "unmatched";
  const Part = parts[current];
  return (
    <chakra.div>
      <title>Finance desk · Adashi</title>
      <PageHead title={t.title} detail={t.lead} />
      <Tabs current={current} />
      <Part />
    </chakra.div>
  );
}
