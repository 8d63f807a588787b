import { Box, chakra, Flex } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { useStore } from "@/store/store";
import { useOldest } from "@/store/useOldest";
import { TitleSlot } from "@/ui/frame";
import { lazyPart } from "@/ui/lazyPart";
import { OfflineStrip } from "@/ui/offline/Strip";
import { Modal, Sheet } from "@/ui/overlays";
import { useWide } from "@/ui/useWide";
import { BottomBar } from "./BottomBar";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";
import { shellTexts } from "./texts";

const SearchDrawer = lazyPart(() => import("@/features/groups/search/SearchDrawer").then((m) => m.SearchDrawer));
const Notices = lazyPart(() => import("@/features/notices/notifications/Notices").then((m) => m.Notices));

/** A new screen starts at its top, and keyboard and screen reader start with it. */
function useFreshStart() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** Overlays are fetched when first opened and stay, so that they can close in their own time. */
function Overlays() {
  const searchOpen = useStore((state) => state.searchOpen);
  const noticesOpen = useStore((state) => state.noticesOpen);
  const [seen, setSeen] = useState({ search: false, notices: false });
  if (searchOpen && !seen.search) setSeen({ ...seen, search: true });
  if (noticesOpen && !seen.notices) setSeen({ ...seen, notices: true });
  return (
    <>
      {seen.search && <SearchDrawer />}
      {seen.notices && <Notices />}
    </>
  );
}

function Side({ wide, open, onClose }: { wide: boolean; open: boolean; onClose: () => void }) {
  const collapsed = useStore((state) => state.sidebarCollapsed);
  const toggle = useStore((state) => state.toggleSidebar);
  if (!wide) {
    return (
      <Sheet open={open} onClose={onClose} placement="start" title={shellTexts.menu}>
        <Box mx="-5" height="full">
          <Sidebar onClose={onClose} />
        </Box>
      </Sheet>
    );
  }
  return (
    <chakra.aside
      aria-label={shellTexts.sidebar}
      data-frame={collapsed ? "rail" : "side"}
      flexShrink="0"
      width={collapsed ? "rail" : "sidebar"}
      transition="width 200ms"
      bg="bg.panel"
      borderEndWidth="1px"
      borderColor="border"
      position="sticky"
      top="0"
      height="100dvh"
    >
      <Sidebar collapsed={collapsed} onCollapse={toggle} />
    </chakra.aside>
  );
}

export function Shell() {
  const wide = useWide();
  const [open, setOpen] = useState(false);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const main = useFreshStart();
  useEffect(() => void Modal.fetch(), []);
  return (
    <Flex minHeight="100dvh" align="stretch">
      <chakra.a
        href="#main"
        position="fixed"
        top="2"
        insetStart="2"
        zIndex="skipNav"
        px="4"
        py="3"
        borderRadius="md"
        bg="bg.panel"
        color="fg.brand"
        fontWeight="600"
        translate="0 -200%"
        _focusVisible={{ translate: "0 0" }}
      >
        {shellTexts.skip}
      </chakra.a>
      <Side wide={wide} open={open} onClose={() => setOpen(false)} />
      <Flex direction="column" flex="1" minWidth="0">
        <TopBar wide={wide} onMenu={() => setOpen(true)} onSlot={setSlot} />
        <OfflineStrip asOf={useOldest()} />
        <chakra.main
          id="main"
          ref={main}
          tabIndex={-1}
          outline="0"
          flex="1"
          width="full"
          maxWidth="frame"
          mx="auto"
          px="gutter"
          py={{ base: "5", md: "8" }}
        >
          <TitleSlot value={slot}>
            <Outlet />
          </TitleSlot>
        </chakra.main>
        {!wide && <BottomBar />}
      </Flex>
      <Overlays />
    </Flex>
  );
}
