import { act, screen, waitFor } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { fetchScreen, routes } from "@/app/router";
import { ajo, card, invitation, payout } from "../kit/ajo";
import { account, ada, no, origin, showRoutes, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const place = () => screen.getByTestId("place").textContent;

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("the addresses of the members' accounts", () => {
  beforeEach(() =>
    network.use(
      http.get(`${origin}/api/Account/GetUserInfoById/${ada.id}`, () => yes(account)),
      http.get(`${origin}/api/v1/notifications/unread`, () => yes({ unread: 0 })),
      http.get(`${origin}/api/Utility/:lookup`, () => yes([])),
      http.get(`${origin}/api/Payment/getbanks`, () => yes([])),
      http.get(`${origin}/api/v1/account/sessions`, () => yes([])),
      http.get(`${origin}/api/v1/account/totp`, () => yes({ enabled: false, recoveryCodesLeft: 0 })),
    ),
  );

  it.each([
    ["/verifyMail", "Verify your email"],
    ["/send_forgot_password_mail", "Forgotten your password?"],
    ["/forgot_password", "Choose a new password"],
    ["/confirm-email", "Confirm your new email address"],
    ["/undo", "It was not me"],
    ["/guardian-consent", "A parent's or guardian's consent"],
    ["/terms", "Terms"],
    ["/contact-us", "Contact us"],
    ["/faqs", "Questions and answers"],
  ])("%s is open to everybody", async (path, title) => {
    showRoutes(routes, path);
    await heading(title);
    expect(place()).toBe(path);
  });

  it.each([
    ["/change_password", "Change password"],
    ["/dashboard/profile", "Profile"],
    ["/dashboard/profile/edit", "Edit profile"],
    ["/dashboard/security", "Security"],
    ["/dashboard/notifications", "Notifications"],
  ])("%s needs a login, and remembers that one wanted to go there", async (path, title) => {
    const outside = showRoutes(routes, path);
    await waitFor(() => expect(place()).toBe("/login"));
    expect(screen.getByTestId("place").dataset.from).toBe(path);
    outside.unmount();
    signIn();
    showRoutes(routes, path);
    await heading(title);
  });

  it.each(["/verifyMail", "/send_forgot_password_mail"])("%s is not for those signed in", async (path) => {
    network.use(http.get(`${origin}/api/v1/dashboard`, () => new Promise(() => {})));
    signIn();
    showRoutes(routes, path);
    await waitFor(() => expect(place()).toBe("/dashboard"));
  });

  it.each(["/forgot_password", "/confirm-email", "/terms"])("%s is for those signed in too", async (path) => {
    signIn();
    showRoutes(routes, path);
    await screen.findByRole("heading", { level: 1 });
    expect(place()).toBe(path);
  });
});

describe("questions and answers", () => {
  it("are the server's", async () => {
    const faqs = [{ question: "What does it cost?", answer: "A bank transfer costs nothing." }];
    network.use(http.get(`${origin}/api/Utility/GetFaqs`, () => yes(faqs)));
    showRoutes(routes, "/faqs");
    expect(await screen.findByText("What does it cost?")).toBeTruthy();
    expect(screen.getByText("A bank transfer costs nothing.")).toBeTruthy();
  });
});

describe("the addresses of ajo", () => {
  beforeEach(() =>
    network.use(
      http.get(`${origin}/api/Ajo/GetAvailableAjoGroups`, () => yes([])),
      http.get(`${origin}/api/Ajo/GetUserAjoGroups`, () => yes([])),
      http.post(`${origin}/api/Ajo/ajo-payment-history`, () => yes({ payments: [] })),
      http.get(`${origin}/api/Ajo/GetAjoById/a1`, () => yes(ajo())),
      http.get(`${origin}/api/Ajo/GetAjoDataById/a1`, () => yes(invitation())),
      http.get(`${origin}/api/Ajo/member-contribution/a1`, () => yes([])),
      http.get(`${origin}/api/v1/ajo/a1/draw`, () => no(404, "There is no such draw.")),
      http.get(`${origin}/api/v1/ajo/a1/payouts/:cycle`, () => yes(payout())),
      http.get(`${origin}/api/v1/ajo/dues`, () =>
        yes({ dues: [], deposits: [], debts: [], collecting: [], owed: 0, owedToMe: 0 }),
      ),
      http.get(`${origin}/api/v1/ajo/cards`, () => yes([])),
      http.get(`${origin}/api/v1/ajo/cards/round`, () => yes([])),
      http.get(`${origin}/api/v1/ajo/cards/c1`, () => yes(card({ id: "c1", name: "School fees" }))),
      http.get(`${origin}/api/v1/notifications/unread`, () => yes({ unread: 0 })),
    ),
  );

  it.each([
    ["/ajo/draw", "How the turns were drawn"],
    ["/ajo/draw/a1", "How the turns were drawn"],
    ["/ajo/join-group/a1?code=abc", "Market women"],
  ])("%s is open to everybody", async (path, title) => {
    showRoutes(routes, path);
    await heading(title);
    expect(place()).toBe(path);
  });

  // What is called by a word comes before the ajo or card of an id.
  it.each([
    ["/ajo/groups/all", "Ajo Groups"],
    ["/ajo/user/groups", "My ajo groups"],
    ["/ajo/user/transactions", "My ajo payments"],
    ["/ajo/group", "The money"],
    ["/ajo/group?type=individual", "New card"],
    ["/ajo/group/invite", "Invite to your ajo"],
    ["/ajo/a1", "Market women"],
    ["/ajo/a1/payment-requests", "Payouts"],
    ["/ajo/a1/audit", "Audit of payments"],
    ["/ajo/cards", "My cards"],
    ["/ajo/cards/round", "My round"],
    ["/ajo/cards/c1", "School fees"],
    ["/dashboard/ajo", "My ajo"],
    ["/dashboard/ajo/payment", "Pay your ajo"],
  ])("%s needs a login, and remembers that one wanted to go there", async (path, title) => {
    const outside = showRoutes(routes, path);
    await waitFor(() => expect(place()).toBe("/login"));
    expect(screen.getByTestId("place").dataset.from).toBe(path);
    outside.unmount();
    signIn();
    showRoutes(routes, path);
    await heading(title);
  });
});

describe("the screen of an address", () => {
  it("is fetched before anything is drawn", async () => {
    fetchScreen("/verify-statement/NEVER-ISSUED");
    await import("@/features/trust/statements/screens/VerifyStatement");
    await act(() => new Promise((resolve) => setImmediate(resolve)));
    network.use(http.get(`${origin}/api/v1/statements/:code`, () => new Promise(() => {})));
    showRoutes(routes, "/verify-statement/NEVER-ISSUED");
    screen.getByRole("heading", { level: 1 });
  });
});
