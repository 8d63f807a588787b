import { isValidElement } from "react";
import { matchRoutes, Outlet, type RouteObject } from "react-router";
import { paths, type ScreenName } from "@/lib/paths";
import { routes as table } from "@/lib/routes";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { ErrorScreen } from "@/ui/ErrorScreen";
import { FinanceOnly, LoginRequired, OnePerson, PublicOnly, StaffOnly, SupportOnly } from "./guards";
import type { LazyScreen } from "./lazyScreen";
import { NotFound } from "./NotFound";
import { screens } from "./screens";
import { Shell } from "./shell/Shell";

/** A screen that fails to render takes nothing else with it; another address tries again. */
export const failed = <ErrorScreen text={errorTexts.render} backTo={paths.dashboard} />;

const of = (places: Partial<Record<ScreenName, string>>): RouteObject[] =>
  Object.entries(places).map(([name, path]) => ({ path, element: screens[name as ScreenName] }));

const inShell = (places: Partial<Record<ScreenName, string>>): RouteObject => ({
  element: <Shell />,
  children: [{ errorElement: failed, children: of(places) }],
});

/** The app's frame for a person who is logged in; others see the screen alone. */
function FrameOfMembers() {
  return useStore((state) => state.authenticated) ? <Shell /> : <Outlet />;
}

const { ajoDraw, ...everybody } = table.everybody;

/** Who sees which screens, and in what frame. */
export const routes: RouteObject[] = [
  {
    errorElement: failed,
    children: [
      { element: <PublicOnly />, children: of(table.visitors) },
      ...of(everybody),
      { element: <FrameOfMembers />, children: of({ ajoDraw }) },
      { element: <OnePerson />, children: of(table.invited) },
      {
        element: <LoginRequired />,
        children: [
          inShell(table.members),
          { element: <StaffOnly />, children: [inShell(table.staff)] },
          { element: <FinanceOnly />, children: [inShell(table.finance)] },
          { element: <SupportOnly />, children: [inShell(table.support)] },
        ],
      },
      { path: "*", element: <NotFound /> },
    ],
  },
];

/** Has the screen of an address fetched before it is drawn, while the rest of the app still gets ready. */
export function fetchScreen(pathname: string) {
  const element = matchRoutes(routes, pathname)?.at(-1)?.route.element;
  if (isValidElement(element)) void (element.type as Partial<LazyScreen>).fetch?.();
}
