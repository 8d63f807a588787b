import { chakra } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Group } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { frameTexts } from "./texts";

const t = frameTexts.tabs;

export type GroupTab = keyof typeof t.names;

/** The tabs of a group, each with its address; an inactive member is not shown the members. */
const tabsOf = ({ id, memberStatus }: Group): [GroupTab, string][] => [
  ["overview", paths.group(id)],
  ["payments", paths.myPayments(id)],
  ...(memberStatus === "ACTIVE" ? ([["members", paths.members(id)]] as [GroupTab, string][]) : []),
  ["requests", paths.liquidations(id)],
  ["more", paths.groupMore(id)],
];

/** Links, so that each tab has an address and the way back works. On a phone they share its width. */
export function Tabs({ group, current }: { group: Group; current: GroupTab }) {
  return (
    <chakra.nav aria-label={t.label} mb="4" overflowX="auto">
      <chakra.ul
        listStyleType="none"
        display="flex"
        justifyContent={{ base: "space-between", md: "flex-start" }}
        borderBottomWidth="1px"
        borderColor="border"
      >
        {tabsOf(group).map(([tab, to]) => (
          <li key={tab}>
            <chakra.a
              asChild
              display="inline-flex"
              alignItems="center"
              justifyContent="center"
              minHeight="target"
              minWidth="target"
              px={{ base: "1", md: "4" }}
              whiteSpace="nowrap"
              fontSize={{ base: "xs", md: "sm" }}
              fontWeight="600"
              borderBottomWidth="3px"
              borderColor={tab === current ? "brand" : "transparent"}
              color={tab === current ? "fg.brand" : "fg"}
              _focusVisible={{ outlineOffset: "-3px" }}
            >
              <Link to={to} aria-current={tab === current ? "page" : undefined}>
                {t.names[tab]}
              </Link>
            </chakra.a>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}
