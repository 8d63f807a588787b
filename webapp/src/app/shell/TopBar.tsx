import { Box, chakra, Flex } from "@chakra-ui/react";
import { fullName } from "@/lib/person";
import { counted, screenTexts } from "@/lib/texts/common";
import { valueIn } from "@/store/source";
import { unreadSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useMyPicture } from "@/store/usePicture";
import { useRead } from "@/store/useRead";
import { Button, IconButton } from "@/ui/Button";
import { BellIcon, MenuIcon, SearchIcon } from "@/ui/icons";
import { lazyPart } from "@/ui/lazyPart";
import { Avatar } from "@/ui/Person";
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
          fontSize="0.6875rem"
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

export function TopBar({ onMenu }: { onMenu?: () => void }) {
  const openSearch = useStore((state) => state.openSearch);
  return (
    <chakra.header position="sticky" top="0" zIndex="sticky" bg="bg.panel" borderBottomWidth="1px" borderColor="border">
      <Flex align="center" gap="1" px={{ base: "2", md: "6" }} minHeight="16">
        {onMenu && (
          <IconButton label={shellTexts.openMenu} aria-haspopup="dialog" onClick={onMenu}>
            <MenuIcon />
          </IconButton>
        )}
        <chakra.button
          type="button"
          onClick={() => openSearch(true)}
          aria-haspopup="dialog"
          display="flex"
          alignItems="center"
          gap="2.5"
          minHeight="11"
          px="3.5"
          flex={{ base: "1", md: "0 1 24rem" }}
          minWidth="0"
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
        <Box flex="1" display={{ base: "none", md: "block" }} />
        <Unanswered />
        <Bell />
        <AccountMenu />
      </Flex>
    </chakra.header>
  );
}
