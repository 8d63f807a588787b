import { Box, chakra, Flex } from "@chakra-ui/react";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { useSearchParams } from "react-router";
import { tabTexts as t } from "../texts";

export const tabs = ["turns", "payments", "rules", "more"] as const;
export type Tab = (typeof tabs)[number];

/** The tab that the address names; the turns where it names none. */
export function useTab() {
  const [query, setQuery] = useSearchParams();
  const tab = tabs.find((one) => one === query.get("tab")) ?? "turns";
  const show = (next: Tab) => {
    const params = new URLSearchParams(query);
    params.set("tab", next);
    setQuery(params, { replace: true, preventScrollReset: true });
  };
  return { tab, show };
}

const steps: Record<string, (at: number) => number> = {
  ArrowRight: (at) => (at + 1) % tabs.length,
  ArrowLeft: (at) => (at + tabs.length - 1) % tabs.length,
  Home: () => 0,
  End: () => tabs.length - 1,
};

interface TabsProps {
  tab: Tab;
  onShow: (tab: Tab) => void;
  /** The content of the tab that is shown. */
  children: ReactNode;
}

/** Four tabs. The arrow keys go from one to the next, and only the shown one is there. */
export function Tabs({ tab: current, onShow, children }: TabsProps) {
  const id = useId();
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    // From the focused tab: two quick keys come before the first has changed the address.
    const from = tabs.findIndex((tab) => (event.target as HTMLElement).id === `${id}-${tab}`);
    const to = tabs[steps[event.key]?.(from) ?? -1];
    if (!to) return;
    event.preventDefault();
    onShow(to);
    document.getElementById(`${id}-${to}`)?.focus();
  };
  return (
    <Box>
      <Flex role="tablist" aria-label={t.label} mb="4" borderBottomWidth="1px" borderColor="border" onKeyDown={move}>
        {tabs.map((tab) => (
          <chakra.button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${id}-panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            minHeight="target"
            px={{ base: "3.5", md: "5" }}
            fontWeight="600"
            borderBottomWidth="3px"
            borderColor={tab === current ? "brand" : "transparent"}
            color={tab === current ? "fg.brand" : "fg"}
            cursor="pointer"
            _focusVisible={{ outlineOffset: "-3px" }}
            onClick={() => onShow(tab)}
          >
            {t.tabs[tab]}
          </chakra.button>
        ))}
      </Flex>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </Box>
    </Box>
  );
}
