import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link, useLocation, useNavigate } from "react-router";
import { fullName } from "@/lib/person";
import { counted, screenTexts } from "@/lib/texts/common";
import { valueIn } from "@/store/source";
import { unreadSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useMyPicture } from "@/store/usePicture";
import { useRead } from "@/store/useRead";
import { Button, IconButton } from "@/ui/Button";
import { BackIcon, BellIcon, MenuIcon, SearchIcon } from "@/ui/icons";
import { lazyPart } from "@/ui/lazyPart";
import { Avatar } from "@/ui/Person";
import { above, placeOf } from "./places";
import { shellTexts } from "./texts";

const AccountMenu = lazyPart(() => import("./AccountMenu").then((m) => m.AccountMenu), {
  waiting: <AccountAvatar />,
  failed: (retry) => (
    <Button size="sm" variant="outline" onClick={retry}>
      {screenTexts.tryAgain}
    </Button>
  ),
});

const Unanswered = lazyPart(() =>
  import("@/features/money/unanswered/UnansweredButton").then((m) => m.UnansweredButton),
);

function Bell() {
  useRead(unreadSource);
  const unread = useStore((state) => valueIn(state, unreadSource)?.unread ?? 0);
  const open = useStore((state) => state.noticesOpen);
  const openNotices = useStore((state) => state.openNotices);
  return (
    <Box position="relative">
      <IconButton
        label={shellTexts.notifications(unread)}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => openNotices(true)}
      >
        <BellIcon />
      </IconButton>
      {unread > 0 && (
        <chakra.span
          aria-hidden="true"
          data-unread={unread}
          position="absolute"
          top="0.5"
          insetEnd="0"
          minWidth="5"
          height="5"
          px="1"
          borderRadius="full"
          bg="red"
          color="white"
          boxShadow="0 0 0 2px white"
          fontSize="0.75rem"
          fontWeight="700"
          display="flex"
          alignItems="center"
          justifyContent="center"
          pointerEvents="none"
        >
          {counted(unread)}
        </chakra.span>
      )}
    </Box>
  );
}

/** The face alone, until the menu behind it has come. */
function AccountAvatar() {
  const session = useStore((state) => state.session);
  const picture = useMyPicture();
  return (
    <Flex boxSize="11" align="center" justify="center">
      {session && <Avatar id={session.id} name={fullName(session)} size="2.25rem" picture={picture} />}
    </Flex>
  );
}

/** Back to where the person came from; who came from elsewhere gets one level up. */
function Back({ up }: { up: string }) {
  const navigate = useNavigate();
  const inApp = (window.history.state as { idx?: number } | null)?.idx;
  return (
    <chakra.a asChild {...square}>
      <Link
        to={up}
        aria-label={shellTexts.back}
        onClick={(event) => {
          if (!inApp || event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          navigate(-1);
        }}
      >
        <BackIcon />
      </Link>
    </chakra.a>
  );
}

const square = {
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  boxSize: "target",
  flexShrink: "0",
  borderRadius: "md",
  fontSize: "lg",
  _hover: { bg: "bg.muted" },
} as const;

interface TopBarProps {
  /** Opens the drawer, below 1024 px. */
  onMenu: () => void;
  /** Receives the place where pages put their title. */
  onSlot: (slot: HTMLElement | null) => void;
}

/** Below 1024 px: the menu or the way back, the page's title, and search as an icon. */
function Narrow({ onMenu, onSlot }: TopBarProps) {
  const { pathname } = useLocation();
  const roles = useStore((state) => state.session?.roles);
  const openSearch = useStore((state) => state.openSearch);
  const up = above(pathname, roles);
  return (
    <>
      {up ? (
        <Back up={up} />
      ) : (
        <IconButton label={shellTexts.openMenu} aria-haspopup="dialog" onClick={onMenu}>
          <MenuIcon />
        </IconButton>
      )}
      {/* Until a page has said its title, and where it has none, the name of its place. */}
      <Box
        ref={onSlot}
        flex="1"
        minWidth="0"
        textStyle="section"
        lineClamp="2"
        data-place={placeOf(pathname)?.label ?? ""}
        _empty={{ _before: { content: "attr(data-place)" } }}
      />
      <Unanswered />
      <IconButton label={shellTexts.search} aria-haspopup="dialog" onClick={() => openSearch(true)}>
        <SearchIcon />
      </IconButton>
    </>
  );
}

function Wide() {
  const openSearch = useStore((state) => state.openSearch);
  return (
    <>
      <chakra.button
        type="button"
        onClick={() => openSearch(true)}
        aria-haspopup="dialog"
        display="flex"
        alignItems="center"
        gap="2.5"
        minHeight="target"
        px="3.5"
        width={{ base: "16rem", xl: "24rem" }}
        borderRadius="full"
        bg="bg.muted"
        color="fg.muted"
        cursor="pointer"
        fontSize="sm"
        _hover={{ color: "fg" }}
      >
        <SearchIcon />
        <chakra.span truncate>{shellTexts.search}</chakra.span>
      </chakra.button>
      <Unanswered />
      <Box flex="1" />
    </>
  );
}

/** What stays at the top of every screen. Its edges are those of the page beneath. */
export function TopBar({ wide, ...narrow }: TopBarProps & { wide: boolean }) {
  return (
    <chakra.header position="sticky" top="0" zIndex="sticky" bg="bg.panel" borderBottomWidth="1px" borderColor="border">
      <Flex
        align="center"
        gap={{ base: "0.5", lg: "1" }}
        maxWidth="frame"
        mx="auto"
        ps={{ base: "1", lg: "gutter" }}
        pe={{ base: "2", lg: "gutter" }}
        minHeight="header"
      >
        {wide ? <Wide /> : <Narrow {...narrow} />}
        <Bell />
        <AccountMenu />
      </Flex>
    </chakra.header>
  );
}
