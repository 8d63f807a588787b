import { type ReactNode, useContext, useLayoutEffect, useMemo, useRef, useState } from "react";
import { UNSAFE_NavigationContext as NavigationContext, type Navigator, type To, useLocation } from "react-router";
import { dropUnsaved, hasUnsaved } from "@/store/unsaved";
import { lazyPart } from "@/ui/lazyPart";

const LeaveDialog = lazyPart(() => import("./LeaveDialog").then((m) => m.LeaveDialog));

type Ask = (goOn: () => void) => void;

const placeOf = (to: To, from: string) => (typeof to === "string" ? to.split(/[?#]/)[0] : to.pathname) || from;

/** The way to other screens, asking where something typed would be lost. Guards redirect unasked. */
function asking(navigator: Navigator, here: () => string, ask: Ask): Navigator {
  const push: Navigator["push"] = (to, state, options) => {
    const goOn = () => navigator.push(to, state, options);
    if (hasUnsaved() && placeOf(to, here()) !== here()) ask(goOn);
    else goOn();
  };
  return Object.assign(Object.create(navigator) as Navigator, { push });
}

interface Turned {
  idx?: number;
}

const step = () => (window.history.state as Turned | null)?.idx ?? 0;

/** Back and forward: the browser has already gone, so it is taken back while the question stands. */
function useBackAsks(here: () => string, ask: Ask) {
  const { key } = useLocation();
  const at = useRef(0);
  const returning = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new place has its own step
  useLayoutEffect(() => {
    at.current = step();
  }, [key]);
  // Runs before the router's own listener, for children's effects run first: the router never sees a stopped event.
  useLayoutEffect(() => {
    const onPop = (event: PopStateEvent) => {
      if (returning.current) {
        returning.current = false;
        event.stopImmediatePropagation();
        return;
      }
      const by = step() - at.current;
      if (by === 0 || !hasUnsaved() || window.location.pathname === here()) return;
      event.stopImmediatePropagation();
      returning.current = true;
      window.history.go(-by);
      ask(() => window.history.go(by));
    };
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, [here, ask]);
}

/** Leaving a screen with unsaved input asks first. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext);
  const { pathname } = useLocation();
  const place = useRef(pathname);
  place.current = pathname;
  const [goOn, setGoOn] = useState<() => void>();
  const { here, ask } = useMemo(
    () => ({ here: () => place.current, ask: (next: () => void) => setGoOn(() => next) }),
    [],
  );
  useBackAsks(here, ask);
  const guarded = useMemo(
    () => ({ ...context, navigator: asking(context.navigator, here, ask) }),
    [context, here, ask],
  );
  const leave = () => {
    dropUnsaved();
    setGoOn(undefined);
    goOn?.();
  };
  return (
    <NavigationContext.Provider value={guarded}>
      {children}
      {goOn && <LeaveDialog onLeave={leave} onStay={() => setGoOn(undefined)} />}
    </NavigationContext.Provider>
  );
}
