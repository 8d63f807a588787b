import { ChakraProvider } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { BrowserRouter, useLocation } from "react-router";
import { followLive } from "@/store/live";
import { followOtherTabs, restore } from "@/store/restore";
import { useStore } from "@/store/store";
import { system } from "@/theme/system";
import { PageSkeleton } from "@/ui/Skeletons";
import { Toaster } from "@/ui/toaster";
import { RenderBoundary } from "./RenderBoundary";
import { Router } from "./router";

function Screens() {
  const { pathname } = useLocation();
  return (
    <RenderBoundary resetKey={pathname}>
      <Router />
    </RenderBoundary>
  );
}

/** Nothing is decided about who may see what before the kept state is back. */
function useRestored(): boolean {
  const [restored, setRestored] = useState(false);
  useEffect(() => {
    void restore().then(() => setRestored(true));
    return followOtherTabs();
  }, []);
  return restored;
}

function useLiveFigures() {
  const token = useStore((state) => state.session?.token);
  useEffect(() => (token ? followLive() : undefined), [token]);
}

export function App() {
  const restored = useRestored();
  useLiveFigures();
  return (
    <ChakraProvider value={system}>
      <BrowserRouter>{restored ? <Screens /> : <PageSkeleton />}</BrowserRouter>
      <Toaster />
    </ChakraProvider>
  );
}
