import { ChakraProvider } from "@chakra-ui/react";
import { render } from "@testing-library/react";
import { HttpResponse } from "msw";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { vi } from "vitest";
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

export function signIn() {
  useStore.setState({ session: ada, authenticated: true });
}

export const origin = window.location.origin;

type Code = "OK" | "INVALID" | "CONFLICT" | "NOT_FOUND" | "UNAUTHENTICATED" | "INTERNAL" | "UNAVAILABLE";

export const yes = (returnedObject?: unknown, message = "") =>
  HttpResponse.json({ isSuccessful: true, message, returnedCode: "OK", returnedObject });

export const no = (status: number, message: string, returnedCode: Code = "INVALID") =>
  HttpResponse.json({ isSuccessful: false, message, returnedCode }, { status });

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
