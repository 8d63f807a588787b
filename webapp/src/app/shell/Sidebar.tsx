import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactElement, useState } from "react";
import { Link, useLocation } from "react-router";
import { paths, samePlace } from "@/lib/paths";
import { useStore } from "@/store/store";
import { Brand } from "@/ui/Brand";
import { IconButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { CollapseIcon, HelpIcon } from "@/ui/icons";
import { lazyPart } from "@/ui/lazyPart";
import { type MenuItem, menuOf } from "./menu";
import { shellTexts } from "./texts";

const Tooltip = lazyPart(() => import("@/ui/Tooltip").then((m) => m.Tooltip), {
  waiting: ({ children }) => children,
  failed: (_retry, { children }) => children,
});
const HelpDialog = lazyPart(() => import("./HelpDialog").then((m) => m.HelpDialog));

const ITEM_CLOSE_DELAY_MS = 100;

interface SidebarProps {
  collapsed?: boolean;
  onCollapse?: () => void;
  /** Below 1024 px the sidebar lies over the page and closes when something is chosen. */
  onClose?: () => void;
}

function Named({ name, when, children }: { name: string; when: boolean; children: ReactElement }) {
  if (!when) return children;
  return <Tooltip name={name}>{children}</Tooltip>;
}

const row = {
  display: "flex",
  alignItems: "center",
  gap: "3",
  width: "full",
  minHeight: "row",
  px: "3",
  py: "2",
  borderRadius: "md",
  textAlign: "start",
  fontSize: "lg",
  color: "fg.muted",
} as const;

function Words({ item }: { item: MenuItem }) {
  return (
    <Box flex="1" minWidth="0">
      <chakra.span display="flex" alignItems="center" gap="2" fontSize="sm" fontWeight="600" lineHeight="1.3">
        {item.label}
        {item.disabled && <Badge>{shellTexts.comingSoon}</Badge>}
      </chakra.span>
      <chakra.span display="block" fontSize="xs" lineHeight="1.3" color="fg.muted">
        {item.caption}
      </chakra.span>
    </Box>
  );
}

function Item({
  item,
  active,
  collapsed,
  onChoose,
}: {
  item: MenuItem;
  active: boolean;
  collapsed: boolean;
  onChoose: () => void;
}) {
  if (item.disabled) {
    return (
      <Named name={`${item.label}: ${shellTexts.comingSoon}`} when={collapsed}>
        <chakra.span
          {...row}
          aria-disabled="true"
          role="link"
          aria-label={collapsed ? `${item.label}, ${shellTexts.comingSoon}` : undefined}
          tabIndex={collapsed ? 0 : undefined}
          cursor="not-allowed"
        >
          {item.icon}
          {!collapsed && <Words item={item} />}
        </chakra.span>
      </Named>
    );
  }
  return (
    <Named name={item.label} when={collapsed}>
      <chakra.a
        asChild
        {...row}
        color={active ? "fg.brand" : "fg"}
        bg={active ? "bg.brand" : undefined}
        _hover={{ bg: active ? "bg.brand" : "bg.muted" }}
      >
        <Link
          to={item.path}
          aria-current={active ? "page" : undefined}
          aria-label={collapsed ? item.label : undefined}
          onClick={onChoose}
        >
          {item.icon}
          {!collapsed && <Words item={item} />}
        </Link>
      </chakra.a>
    </Named>
  );
}

function Foot({ collapsed, onCollapse, onHelp }: { collapsed: boolean; onCollapse?: () => void; onHelp: () => void }) {
  return (
    <Flex direction="column" gap="1" pt="3" borderTopWidth="1px" borderColor="border">
      <Named name={shellTexts.help} when={collapsed}>
        <chakra.button
          type="button"
          {...row}
          minHeight="target"
          color="fg"
          cursor="pointer"
          _hover={{ bg: "bg.muted" }}
          aria-label={collapsed ? shellTexts.help : undefined}
          onClick={onHelp}
        >
          <HelpIcon />
          {!collapsed && (
            <chakra.span fontSize="sm" fontWeight="600">
              {shellTexts.help}
            </chakra.span>
          )}
        </chakra.button>
      </Named>
      <Flex
        align="center"
        justify={collapsed ? "center" : "space-between"}
        px={collapsed ? "0" : "3"}
        direction={collapsed ? "column" : "row"}
      >
        <chakra.span textStyle="small" color="fg.muted">
          {shellTexts.version}
        </chakra.span>
        {onCollapse && (
          <IconButton
            label={collapsed ? shellTexts.expand : shellTexts.collapse}
            aria-expanded={!collapsed}
            onClick={onCollapse}
          >
            <CollapseIcon />
          </IconButton>
        )}
      </Flex>
    </Flex>
  );
}

export function Sidebar({ collapsed = false, onCollapse, onClose }: SidebarProps) {
  const { pathname } = useLocation();
  const roles = useStore((state) => state.session?.roles);
  const [help, setHelp] = useState<boolean>();
  const onChoose = () => {
    if (onClose) setTimeout(onClose, ITEM_CLOSE_DELAY_MS);
  };
  const leaveHelp = () => {
    setHelp(false);
    onChoose();
  };
  return (
    <Flex direction="column" height="full" px="3" py="4" gap="4">
      <chakra.a asChild display="flex" px="2" minHeight="target" alignItems="center" borderRadius="md">
        <Link to={paths.dashboard} aria-label="Adashi, to the dashboard" onClick={onClose}>
          <Brand bare={collapsed} />
        </Link>
      </chakra.a>
      <chakra.nav flex="1" overflowY="auto" aria-label={shellTexts.menu} mx="-3" px="3">
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
          {menuOf(roles).map((item) => (
            <li key={item.label}>
              <Item item={item} active={samePlace(item.path, pathname)} collapsed={collapsed} onChoose={onChoose} />
            </li>
          ))}
        </chakra.ul>
      </chakra.nav>
      <Foot collapsed={collapsed} onCollapse={onCollapse} onHelp={() => setHelp(true)} />
      {help !== undefined && <HelpDialog open={help} onClose={() => setHelp(false)} onLeave={leaveHelp} />}
    </Flex>
  );
}
