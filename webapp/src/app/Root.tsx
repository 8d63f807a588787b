import { useEffect, useState } from "react";
import { Outlet } from "react-router";
import { followLive } from "@/store/live";
import { followOtherTabs, restore } from "@/store/restore";
import { useStore } from "@/store/store";
import { lazyPart } from "@/ui/lazyPart";
import { Offline } from "@/ui/offline/PayButton";
import { PageSkeleton } from "@/ui/Skeletons";
import { LeaveGuard } from "./LeaveGuard";

const StepUp = lazyPart(() => import("@/features/people/security/StepUp").then((m) => m.StepUp));

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

/** Fetched when it is first asked for, and kept, so that it can close in its own time. */
function AskAgain() {
  const asked = useStore((state) => state.stepUpAsked);
  const person = useStore((state) => state.session?.id);
  const [seen, setSeen] = useState(false);
  if (asked && !seen) setSeen(true);
  return <>{seen && <StepUp key={person} />}</>;
}

/** What is there at every address. */
export function Root() {
  const restored = useRestored();
  useLiveFigures();
  const offline = useStore((state) => !state.reached);
  return (
    <Offline value={offline}>
      {restored ? <Outlet /> : <PageSkeleton />}
      <LeaveGuard />
      <AskAgain />
    </Offline>
  );
}
