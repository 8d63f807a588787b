import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Security } from "@/features/people/security/screens/Security";
import { useStore } from "@/store/store";
import { account, ada, faultOf, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const NOW = "2026-11-20T10:00:00Z";
const session = (id: string, device: string, current = false) => ({
  id,
  device,
  current,
  createdAt: NOW,
  lastSeenAt: NOW,
});
const codes = Array.from({ length: 10 }, (_, at) => `code-${at}-abcd`);

let sessions: ReturnType<typeof session>[];
let totp: { enabled: boolean; recoveryCodesLeft: number; since?: string };

beforeEach(() => {
  sessions = [session("s1", "Firefox on Linux", true), session("s2", "Chrome on Android")];
  totp = { enabled: false, recoveryCodesLeft: 0 };
  signIn();
  network.use(
    http.get(`${origin}/api/Account/GetUserInfoById/${ada.id}`, () => yes(account)),
    http.get(`${origin}/api/v1/account/sessions`, () => yes(sessions)),
    http.get(`${origin}/api/v1/account/totp`, () => yes(totp)),
  );
});

const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const open = async () => {
  show(<Security />, "/dashboard/security");
  await screen.findByText("Firefox on Linux");
  await screen.findByText(/Besides your password/);
};

describe("where one is logged in", () => {
  it("names device and time, offers no end for this one, and ends one alone", async () => {
    const ended: unknown[] = [];
    network.use(
      http.delete(`${origin}/api/v1/account/sessions/:id`, ({ params }) => {
        ended.push(params.id);
        sessions = sessions.filter(({ id }) => id !== params.id);
        return yes();
      }),
    );
    await open();
    expect(screen.getByText("This device")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Log out Firefox on Linux" })).toBeNull();
    await click("Log out Chrome on Android");
    await waitFor(() => expect(screen.queryByText("Chrome on Android")).toBeNull());
    expect(ended).toEqual(["s2"]);
    expect(screen.queryByRole("button", { name: "Log out everywhere else" })).toBeNull();
  });

  it("ends all others at once", async () => {
    const all = vi.fn(() => {
      sessions = sessions.slice(0, 1);
      return yes();
    });
    network.use(http.delete(`${origin}/api/v1/account/sessions`, all));
    await open();
    await click("Log out everywhere else");
    await waitFor(() => expect(screen.queryByText("Chrome on Android")).toBeNull());
    expect(all).toHaveBeenCalledOnce();
  });
});

describe("two-step login", () => {
  it("is set up by a QR code or by typing, confirmed by a code, and its ten codes are shown until kept", async () => {
    network.use(
      http.post(`${origin}/api/v1/account/totp`, () =>
        yes({ secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/Adashi:ada@example.com?secret=JBSWY3DPEHPK3PXP" }),
      ),
      http.post(`${origin}/api/v1/account/totp/confirm`, async ({ request }) => {
        const { code } = (await request.json()) as { code: string };
        if (code !== "123456") return no(400, "This code is not right.", "INVALID", "code");
        totp = { enabled: true, recoveryCodesLeft: 10, since: NOW };
        return yes({ codes });
      }),
    );
    await open();
    await click("Set it up");
    const qr = await screen.findByRole("img", { name: "QR code for your authenticator app" });
    expect(qr.querySelector("path")?.getAttribute("d")?.length).toBeGreaterThan(500);
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
    const code = screen.getByLabelText("Six-digit code");
    await userEvent.type(code, "12345{Enter}");
    expect(faultOf(code)).toBe("Enter the six digits that the app shows.");
    await userEvent.clear(code);
    await userEvent.type(code, "654 321{Enter}");
    await screen.findByText("This code is not right.");
    await userEvent.clear(code);
    await userEvent.type(code, "123 456{Enter}");
    const list = await screen.findByText("code-0-abcd");
    expect(within(list.closest("ul") as HTMLElement).getAllByRole("listitem")).toHaveLength(10);
    const done = screen.getByRole<HTMLButtonElement>("button", { name: "Done" });
    expect(done.disabled).toBe(true);
    await userEvent.click(screen.getByLabelText("I kept them in a safe place"));
    await userEvent.click(done);
    expect(screen.queryByText("code-0-abcd")).toBeNull();
    expect(await screen.findByText(/10 recovery codes are left/)).toBeTruthy();
  });

  it("is turned off, and its codes renewed, once one has said so twice", async () => {
    totp = { enabled: true, recoveryCodesLeft: 1, since: NOW };
    const removed = vi.fn(() => {
      totp = { enabled: false, recoveryCodesLeft: 0 };
      return yes();
    });
    network.use(
      http.post(`${origin}/api/v1/account/totp/recovery-codes`, () => yes({ codes })),
      http.delete(`${origin}/api/v1/account/totp`, removed),
    );
    await open();
    expect(screen.getByText(/1 recovery code is left.*before they run out/)).toBeTruthy();
    await click("New recovery codes");
    await userEvent.click(
      within(await screen.findByRole("dialog")).getByRole("button", { name: "New recovery codes" }),
    );
    await screen.findByText("code-9-abcd");
    await userEvent.click(screen.getByLabelText("I kept them in a safe place"));
    await click("Done");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await click("Turn it off");
    expect(removed).not.toHaveBeenCalled();
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Turn it off" }));
    await screen.findByRole("button", { name: "Set it up" });
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe("the address", () => {
  it("moves once the link to the new one is opened: until then it says where the mail went", async () => {
    network.use(http.post(`${origin}/api/v1/account/email`, () => yes()));
    await open();
    const field = screen.getByLabelText("New email address");
    await userEvent.type(field, "not an address");
    await click("Send the link");
    expect(faultOf(field)).toMatch(/Enter your email address/);
    await userEvent.clear(field);
    await userEvent.type(field, "ada@new.example");
    await click("Send the link");
    expect(await screen.findByText(/We wrote to ada@new.example/)).toBeTruthy();
    expect(useStore.getState().session?.email).toBe(ada.email);
  });
});

describe("one's data", () => {
  it("comes as a file", async () => {
    const kept: Blob[] = [];
    vi.stubGlobal(
      "URL",
      Object.assign(URL, { createObjectURL: (blob: Blob) => kept.push(blob) && "blob:x", revokeObjectURL: () => {} }),
    );
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    network.use(http.get(`${origin}/api/v1/account/export`, () => HttpResponse.json({ name: "Ada" })));
    await open();
    await click("Download my data");
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    expect(await kept[0]?.text()).toBe('{"name":"Ada"}');
    clicked.mockRestore();
    vi.unstubAllGlobals();
  });
});

describe("closing the account", () => {
  const dialog = async () => {
    await open();
    await click("Close my account…");
    return within(await screen.findByRole("dialog", { name: "Close your account for ever?" }));
  };

  it("needs the address typed, says why not, and keeps the session then", async () => {
    const asked: unknown[] = [];
    network.use(
      http.post(`${origin}/api/v1/account/close`, async ({ request }) => {
        asked.push(await request.json());
        return no(409, "There are ₦200.00 in your wallet. Take them out first.", "CONFLICT");
      }),
    );
    const inside = await dialog();
    const field = inside.getByLabelText(`Type ${ada.email} to be sure`);
    await userEvent.type(field, "somebody@else.example");
    await userEvent.click(inside.getByRole("button", { name: "Close my account" }));
    expect(faultOf(field)).toBe("Type the email address of this account.");
    expect(asked).toEqual([]);
    await userEvent.clear(field);
    await userEvent.type(field, ada.email);
    await userEvent.click(inside.getByRole("button", { name: "Close my account" }));
    expect(await inside.findByText(/₦200.00 in your wallet/)).toBeTruthy();
    expect(asked).toEqual([{ email: ada.email }]);
    expect(useStore.getState().authenticated).toBe(true);
  });

  it("ends the session, and a step-up called off keeps the form as it was", async () => {
    network.use(
      http.post(`${origin}/api/v1/account/close`, () => no(403, "Confirm first.", "STEP_UP"), { once: true }),
      http.post(`${origin}/api/v1/account/close`, () => yes()),
    );
    const inside = await dialog();
    const field = inside.getByLabelText<HTMLInputElement>(`Type ${ada.email} to be sure`);
    await userEvent.type(field, ada.email);
    await userEvent.click(inside.getByRole("button", { name: "Close my account" }));
    await waitFor(() => expect(useStore.getState().stepUpAsked).toBe(true));
    act(() => useStore.getState().settleStepUp(false));
    await waitFor(() =>
      expect(inside.getByRole<HTMLButtonElement>("button", { name: "Close my account" }).disabled).toBe(false),
    );
    expect([field.value, inside.queryByText("Confirm first.")]).toEqual([ada.email, null]);
    await userEvent.click(inside.getByRole("button", { name: "Close my account" }));
    await waitFor(() => expect(useStore.getState().ended).toBe("closed"));
  });
});
