import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { updateUserInfo } from "@/api/account";
import { asFailure } from "@/api/failure";
import { StepUp } from "@/features/people/security/StepUp";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { account, ada, faultOf, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const ASK = "Please confirm that it is you.";
const change = { email: ada.email, bankCode: "058", bankAccountNumber: "0123456789" };

/** The call is refused until somebody has shown who they are. */
function guarded({ totp = false, right = "good-enough" } = {}) {
  const seen = { calls: [] as unknown[], steps: [] as unknown[], open: false };
  network.use(
    http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: totp, recoveryCodesLeft: totp ? 10 : 0 })),
    http.post(`${origin}/api/Account/UpdateUserInfo`, async ({ request }) => {
      seen.calls.push(await request.json());
      return seen.open ? yes(account, "Saved.") : no(403, ASK, "STEP_UP");
    }),
    http.post(`${origin}/api/v1/account/step-up`, async ({ request }) => {
      const body = (await request.json()) as { password?: string; code?: string };
      seen.steps.push(body);
      const name = body.code === undefined ? "password" : "code";
      if ((body.code ?? body.password) !== right) return no(400, "That is not right.", "CREDENTIALS", name);
      seen.open = true;
      return yes();
    }),
  );
  return seen;
}

describe("a step-up", () => {
  beforeEach(signIn);

  it("is asked for once, whatever the call; then the call is made again with the same content", async () => {
    const seen = guarded();
    show(<StepUp />);
    const done = updateUserInfo(change);
    await screen.findByRole("dialog", { name: "Please confirm that it is you" });
    await userEvent.type(await screen.findByLabelText("Your password"), "wrong{Enter}");
    await screen.findByText("That is not right.");
    expect(faultOf(screen.getByLabelText("Your password"))).toBe("That is not right.");
    expect(seen.calls).toHaveLength(1);
    await userEvent.clear(screen.getByLabelText("Your password"));
    await userEvent.type(screen.getByLabelText("Your password"), "good-enough{Enter}");
    expect((await done).message).toBe("Saved.");
    expect(seen.calls).toEqual([change, change]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(useStore.getState().authenticated).toBe(true);
  });

  it("asks those with two-step login for a code, and they may use their password instead", async () => {
    const seen = guarded({ totp: true, right: "123456" });
    show(<StepUp />);
    const done = updateUserInfo(change);
    const code = await screen.findByLabelText("Code from your authenticator app");
    await userEvent.click(screen.getByRole("button", { name: "Use your password instead" }));
    expect(screen.getByLabelText("Your password")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Use a code instead" }));
    expect(code.isConnected).toBe(false);
    await userEvent.type(screen.getByLabelText("Code from your authenticator app"), "123 456{Enter}");
    await done;
    expect(seen.steps).toEqual([{ code: "123456" }]);
  });

  it("called off, fails the call quietly and changes nothing", async () => {
    const seen = guarded();
    show(<StepUp />);
    const failed = updateUserInfo(change).catch((error: unknown) => error);
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    const failure = asFailure(await failed);
    expect([failure.kind, failure.cancelled]).toEqual(["refused", true]);
    act(() => report(failure));
    expect(document.querySelector("[data-toast]")).toBeNull();
    expect(seen.calls).toHaveLength(1);
    expect(useStore.getState().authenticated).toBe(true);
  });

  it("is one dialog for two calls at once", async () => {
    const seen = guarded();
    show(<StepUp />);
    const both = Promise.all([updateUserInfo(change), updateUserInfo(change)]);
    await screen.findByRole("dialog");
    await waitFor(() => expect(seen.calls).toHaveLength(2));
    await userEvent.type(await screen.findByLabelText("Your password"), "good-enough{Enter}");
    await both;
    expect(seen.steps).toHaveLength(1);
    expect(seen.calls).toHaveLength(4);
  });

  it("is not asked for a second time by the same call", async () => {
    const seen = guarded();
    network.use(http.post(`${origin}/api/v1/account/step-up`, () => yes()));
    show(<StepUp />);
    const failed = updateUserInfo(change).catch((error: unknown) => error);
    await userEvent.type(await screen.findByLabelText("Your password"), "good-enough{Enter}");
    const failure = asFailure(await failed);
    expect([failure.code, failure.said]).toEqual(["STEP_UP", ASK]);
    expect(seen.calls).toHaveLength(2);
  });

  it("shows how many tries are too many, and goes with the session", async () => {
    guarded();
    network.use(http.post(`${origin}/api/v1/account/step-up`, () => no(429, "Wait a minute.", "TOO_MANY")));
    show(<StepUp />);
    const failed = updateUserInfo(change).catch((error: unknown) => error);
    await userEvent.type(await screen.findByLabelText("Your password"), "good-enough{Enter}");
    expect(await screen.findByText("Wait a minute.")).toBeTruthy();
    act(() => useStore.getState().expire());
    expect(asFailure(await failed).cancelled).toBe(true);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
