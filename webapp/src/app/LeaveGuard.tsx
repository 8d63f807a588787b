import { type BlockerFunction, NavigationType, useBlocker } from "react-router";
import { dropUnsaved, hasUnsaved } from "@/store/unsaved";
import { lazyPart } from "@/ui/lazyPart";

const LeaveDialog = lazyPart(() => import("./LeaveDialog").then((m) => m.LeaveDialog));

/** Whether something typed would be lost. Guards redirect unasked, and within a screen nothing is lost. */
const loses: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) =>
  hasUnsaved() && historyAction !== NavigationType.Replace && currentLocation.pathname !== nextLocation.pathname;

/** Leaving a screen with unsaved input asks first. */
export function LeaveGuard() {
  const blocker = useBlocker(loses);
  if (blocker.state !== "blocked") return null;
  const leave = () => {
    dropUnsaved();
    blocker.proceed();
  };
  return <LeaveDialog onLeave={leave} onStay={() => blocker.reset()} />;
}
