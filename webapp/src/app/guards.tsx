import { Navigate, Outlet, type Path, useLocation } from "react-router";
import { paths } from "@/lib/paths";
import { isFinance, isStaff, isSupport } from "@/lib/staff";
import { useStore } from "@/store/store";
import { NotFound } from "./NotFound";

/** The address that a person asked for before the login page. */
interface Origin {
  from?: string;
}

const whole = ({ pathname, search, hash }: Path) => pathname + search + hash;

/** For another person everything is mounted again: nobody agrees to what was shown to, or typed by, somebody else. */
export function OnePerson() {
  return <Outlet key={useStore((state) => state.session?.id ?? "")} />;
}

/** Screens for those signed in; others log in first and come back to this very address. */
export function LoginRequired() {
  const authenticated = useStore((state) => state.authenticated);
  const ended = useStore((state) => state.ended);
  const location = useLocation();
  if (authenticated) return <OnePerson />;
  const state: Origin = ended === null || ended === "expiry" ? { from: whole(location) } : {};
  return <Navigate to={paths.login} replace state={state} />;
}

/** Screens for Adashi's own staff; for others there is nothing here. */
export function StaffOnly() {
  const staff = useStore((state) => isStaff(state.session?.roles));
  return staff ? <Outlet /> : <NotFound />;
}

/** Screens for those who look after the money; for others there is nothing here. */
export function FinanceOnly() {
  const finance = useStore((state) => isFinance(state.session?.roles));
  return finance ? <Outlet /> : <NotFound />;
}

/** Screens for those who look into disputes; for others there is nothing here. */
export function SupportOnly() {
  const support = useStore((state) => isSupport(state.session?.roles));
  return support ? <Outlet /> : <NotFound />;
}

/** Screens for those not signed in; others are taken to where they wanted to go. */
export function PublicOnly() {
  const authenticated = useStore((state) => state.authenticated);
  const location = useLocation();
  if (!authenticated) return <Outlet />;
  const { from } = (location.state ?? {}) as Origin;
  return <Navigate to={from ?? paths.dashboard} replace />;
}
