import { ChakraProvider } from "@chakra-ui/react";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse } from "msw";
import type { ReactNode } from "react";
import { createMemoryRouter, MemoryRouter, Outlet, type RouteObject, RouterProvider, useLocation } from "react-router";
import { vi } from "vitest";
import type { ReturnedCode } from "@/api/failure";
import type { Account } from "@/api/schema.gen";
import type { Session } from "@/store/sessionSlice";
import { useStore } from "@/store/store";
import { system } from "@/theme/system";
import { Toaster } from "@/ui/toaster";

export const ada: Session = {
  token: "token-of-ada",
  id: "person-ada",
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.com",
  phone: "+2348031234567",
  roles: ["User"],
};

/** The app as it is when its page is loaded, before it knows what the browser keeps. */
export function freshPage() {
  useStore.setState(useStore.getInitialState(), true);
  useStore.getState().begin({});
}

export function signIn() {
  useStore.setState({ session: ada, authenticated: true });
}

export const origin = window.location.origin;

/** What Ada sees of her own account. */
export const account: Account = {
  id: ada.id,
  email: ada.email,
  firstName: ada.firstName,
  lastName: ada.lastName,
  phone: ada.phone,
  roles: ada.roles,
  associatedClaims: [],
  isEmailVerified: true,
  dateRegistered: "2026-01-05T09:00:00Z",
  dateOfBirth: "1990-05-17",
  bvnVerified: false,
  bvnStatus: "NONE",
  hasAjoAccess: false,
  phoneNumberConfirmed: false,
  cardDetailsDtos: [],
  settings: { inApp: true, email: true, mutedInApp: [], mutedEmail: [] },
  needsGuardian: false,
};

/** The header of every answer of the API. */
const ours = { "X-Adashi": "api" };

export const yes = (returnedObject?: unknown, message = "") =>
  HttpResponse.json({ isSuccessful: true, message, returnedCode: "OK", returnedObject }, { headers: ours });

export const no = (status: number, message: string, returnedCode: ReturnedCode = "INVALID", field?: string) =>
  HttpResponse.json(
    { isSuccessful: false, message, returnedCode, ...(field ? { returnedObject: { field } } : {}) },
    { status, headers: ours },
  );

/** Clicks a button once it is there. */
export const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

/** The words beneath a field that say what is wrong with it. */
export function faultOf(field: HTMLElement): string {
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => (id.endsWith("-error") ? document.getElementById(id)?.textContent : "")).join("");
}

function Place() {
  const { pathname, search, state } = useLocation();
  return (
    <output data-testid="place" data-from={(state as { from?: string } | null)?.from ?? ""}>
      {pathname + search}
    </output>
  );
}

export function show(children: ReactNode, at: string | { pathname: string; search?: string; state?: unknown } = "/") {
  return render(
    <ChakraProvider value={system}>
      <MemoryRouter initialEntries={[at]}>
        {children}
        <Place />
      </MemoryRouter>
      <Toaster />
    </ChakraProvider>,
  );
}

/** Shows what a table of routes has at an address, and answers its router. */
export function showRoutes(children: RouteObject[], at: string) {
  const frame = (
    <>
      <Outlet />
      <Place />
    </>
  );
  const router = createMemoryRouter([{ element: frame, children }], { initialEntries: [at] });
  const shown = render(
    <ChakraProvider value={system}>
      <RouterProvider router={router} />
      <Toaster />
    </ChakraProvider>,
  );
  return { ...shown, router };
}

/** Lets a promise run under fake timers: the network answers in real time, waits pass at once. */
export async function pump<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  for (let at = 0; !settled && at < 5000; at++) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(10);
  }
  return promise;
}
