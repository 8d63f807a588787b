import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Invitation, Leaving } from "@/api/schema.gen";
import { JoinGroup } from "@/features/groups/joining/screens/JoinGroup";
import { InvitePeople } from "@/features/groups/members/screens/InvitePeople";
import { Members } from "@/features/groups/members/screens/Members";
import { GroupSettings } from "@/features/groups/settings/screens/GroupSettings";
import { emailsIn } from "@/lib/emails";
import { ada, no, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { api, bola, chidi, click, dayo, details, dialog, group, me, member, stands, takes } from "./groupLife";

beforeEach(() => signIn());

describe("the settings", () => {
  const leaving: Leaving = {
    mayLeave: false,
    mayForfeit: false,
    reasons: [],
    owed: 0,
    saved: 0,
    held: 0,
    subAccounts: [],
  };
  const settings = (way: Leaving = leaving) => {
    network.use(http.get(api("/v1/savings/groups/g1/leaving"), () => yes(way)));
    show(
      <Routes>
        <Route path="/savings/:id/settings" element={<GroupSettings />} />
      </Routes>,
      "/savings/g1/settings",
    );
  };

  it("let the owner alone hide the total", async () => {
    stands(group());
    const hidden = takes("post", "/GroupSavings/update-balance-display");
    settings();
    await userEvent.click(await screen.findByRole("button", { name: "Hide from members: The group's total" }));
    await waitFor(() => expect(hidden.map(({ body }) => body)).toEqual([{ groupId: "g1", showTotalBalance: false }]));
  });

  it("let the owner choose what people outside see, and show totals to nobody at first", async () => {
    stands(group());
    const set = takes("post", "/v1/savings/groups/g1/search-view");
    settings();
    const totals = "What the group holds, and its growth";
    await userEvent.click(await screen.findByRole("button", { name: `Show to people outside: ${totals}` }));
    await waitFor(() =>
      expect(set.map(({ body }) => body)).toEqual([{ findable: true, showTerms: true, showTotals: true }]),
    );
  });

  it("show a plain member who sees what, and no button", async () => {
    stands(group({ role: "MEMBER" }));
    settings();
    expect(await screen.findByText("Only the owner can change this.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Hide/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Start closing" })).toBeNull();
  });

  it("say what stands in the way of leaving, and give up money only behind a tick", async () => {
    stands(group({ role: "MEMBER" }));
    const left = takes("post", "/v1/savings/groups/g1/leave");
    settings({ ...leaving, mayForfeit: true, saved: 4500, reasons: ["You have saved ₦4,500.00 here."] });
    expect(await screen.findByText("You have saved ₦4,500.00 here.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Leave the group" })).toBeNull();
    await click("Leave and give up what you saved");
    const sure = await dialog("Give up ₦4,500.00?");
    const go = sure.getByRole("button", { name: "Leave and give up what you saved" }) as HTMLButtonElement;
    expect(go.disabled).toBe(true);
    await userEvent.click(sure.getByRole("checkbox", { name: "I give up ₦4,500.00" }));
    await userEvent.click(go);
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/savings"));
    expect(left.map(({ body }) => body)).toEqual([{ forfeit: true, saved: 4500 }]);
  });

  it("offer the group to an approver, and let the one it is offered to accept", async () => {
    const heir = { ...bola, role: "APPROVER" as const };
    stands(group(), details({ officials: [me, heir] }));
    const offered = takes("post", "/v1/savings/groups/g1/ownership/offer");
    settings();
    await userEvent.click(await screen.findByRole("button", { name: "Offer ownership" }));
    await userEvent.click(
      (await dialog("Offer this group to Bola Eze?")).getByRole("button", { name: "Offer ownership" }),
    );
    await waitFor(() => expect(offered.map(({ body }) => body)).toEqual([{ memberId: "bola" }]));
  });

  it("have approvers vote on who takes over", async () => {
    stands(
      group({ role: "APPROVER" }),
      details({
        ownerAwaySince: "2026-10-01T09:00:00Z",
        succession: {
          version: "v1",
          candidateId: "bola",
          candidateName: "Bola Eze",
          votes: 1,
          needed: 2,
          voted: false,
        },
      }),
    );
    const votes = takes("post", "/v1/savings/groups/g1/succession/vote");
    settings();
    expect(await screen.findByText("Bola Eze has 1 of 2 votes.")).toBeTruthy();
    await click("Agree");
    await waitFor(() =>
      expect(votes.map(({ body }) => body)).toEqual([{ candidateId: "bola", seen: "v1", agrees: true }]),
    );
  });

  it("offer the validator no vote where the approvers have it", async () => {
    const approvers = [bola, chidi].map((one) => ({ ...one, role: "APPROVER" as const }));
    stands(
      group({ role: "VALIDATOR" }),
      details({
        officials: approvers,
        succession: {
          version: "v1",
          candidateId: "bola",
          candidateName: "Bola Eze",
          votes: 1,
          needed: 2,
          voted: false,
        },
      }),
    );
    settings();
    await screen.findByText("Bola Eze has 1 of 2 votes.");
    expect(screen.queryByRole("button", { name: "Agree" })).toBeNull();
  });

  it("cancel a group that never ran, with a reason", async () => {
    stands(group({ status: "PENDING_APPROVAL" }));
    const cancelled = takes("post", "/v1/savings/groups/g1/cancel");
    settings();
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the group" }));
    const sure = await dialog("Cancel this group for good?");
    await userEvent.click(sure.getByRole("button", { name: "Cancel the group" }));
    expect(sure.getByText("Say why, in at least 3 characters.")).toBeTruthy();
    expect(cancelled).toEqual([]);
    await userEvent.type(sure.getByLabelText(/^Reason/), "We start anew.");
    await userEvent.click(sure.getByRole("button", { name: "Cancel the group" }));
    await waitFor(() => expect(cancelled.map(({ body }) => body)).toEqual([{ reason: "We start anew." }]));
  });
});

describe("inviting", () => {
  const invite = () => show(<InvitePeople />, "/savings/group/invite?group=g1");

  it("hands out the link, its QR code and a message for WhatsApp", async () => {
    stands(group());
    invite();
    const link = group().invitationLink ?? "";
    expect((await screen.findByText(link)).hasAttribute("data-invitation")).toBe(true);
    expect(screen.getByRole("img", { name: "QR code of the invitation link" })).toBeTruthy();
    const away = screen.getByRole("link", { name: "Share on WhatsApp" }).getAttribute("href") ?? "";
    expect(new URL(away).searchParams.get("text")).toBe(
      `Join Balogun Traders on Adashi, and let us save together: ${link}`,
    );
  });

  it("mails it to every address once, and names the one that is none", async () => {
    stands(group());
    const sent = takes("post", "/GroupSavings/SendSavingsInvitationLink", () => yes({ sent: 2 }, "Sent."));
    invite();
    const box = await screen.findByLabelText("Email addresses");
    await userEvent.type(box, "bola@example.com, nobody");
    await click("Send 2 invitations");
    expect(await screen.findByText("“nobody” is not an email address.")).toBeTruthy();
    await userEvent.clear(box);
    await userEvent.type(box, "bola@example.com{enter}Bola@example.com; chidi@example.com");
    await click("Send 2 invitations");
    expect(await screen.findByText("2 invitations are on their way.")).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([
      { groupId: "g1", emails: ["Bola@example.com", "chidi@example.com"], userEmail: ada.email },
    ]);
  });

  it("finds addresses however they are parted", () => {
    expect(emailsIn(" a@x.ng,b@x.ng;\n<c@x.ng>  A@x.ng ")).toEqual(["A@x.ng", "b@x.ng", "c@x.ng"]);
  });
});

describe("the invitation", () => {
  const at = (memberStatus: Invitation["memberStatus"], invitedByVerified = true) => {
    network.use(
      http.get(api("/v1/savings/invitations/g1"), () =>
        yes({
          groupId: "g1",
          name: "Balogun Traders",
          description: "",
          amount: 5000,
          memberCount: 3,
          memberCapacity: 20,
          invitedBy: "Ada Obi",
          invitedByVerified,
          memberStatus,
        }),
      ),
      http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () => yes([])),
    );
    show(
      <Routes>
        <Route path="/savings/join-group/:groupId" element={<JoinGroup />} />
      </Routes>,
      "/savings/join-group/g1?code=c",
    );
  };

  it.each([
    [undefined, "button", "Join the group"],
    ["INVITED", "button", "Accept"],
    ["ACTIVE", "link", "Open the group"],
    ["INACTIVE", "link", "Open the group"],
  ] as const)("offers who is %s the %s “%s”", async (standing, role, name) => {
    at(standing);
    expect(await screen.findByRole(role, { name })).toBeTruthy();
  });

  it("says whether the bank knows who invites", async () => {
    at(undefined);
    expect(await screen.findByText("The bank has confirmed that Ada Obi is their name.")).toBeTruthy();
    cleanup();
    at(undefined, false);
    expect(await screen.findByText(/Nobody has verified yet that Ada Obi is their name/)).toBeTruthy();
  });

  it("tells who waits that they wait", async () => {
    at("PENDING");
    expect(await screen.findByText("You are on the list")).toBeTruthy();
  });

  it("declined, lets one still ask to join", async () => {
    takes("post", "/v1/savings/invitations/g1/decline");
    at("INVITED");
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    expect(await screen.findByText("You declined. If you think again, ask to join.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Join the group" })).toBeTruthy();
  });
});

describe("the members", () => {
  const members = (search = "") =>
    show(
      <Routes>
        <Route path="/savings/:id/members" element={<Members />} />
      </Routes>,
      { pathname: "/savings/g1/members", search },
    );

  it("are narrowed to those who wait by the address, and by a name", async () => {
    stands(group(), details({ waiting: 1 }), [me, bola, chidi, dayo]);
    members("?status=PENDING");
    expect(await screen.findByText("1 member")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Waiting, 1" }).getAttribute("aria-pressed")).toBe("true");
    await click("All");
    expect(await screen.findByText("4 members")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Find a member"), "chi");
    expect(await screen.findByText("1 member")).toBeTruthy();
  });

  it("are changed many at once, each deed for whom it fits, and every refusal is named", async () => {
    const funke = member("funke", "Funke", { status: "PENDING" });
    stands(group(), details({ waiting: 2 }), [me, bola, dayo, funke]);
    const changed = takes("post", "/v1/savings/members/bulk", () =>
      yes({ done: 1, refused: [{ memberId: "funke", message: "The group is full." }] }, "1 of 2 were approved."),
    );
    members();
    await userEvent.click(await screen.findByLabelText("Select all shown"));
    expect(screen.getByRole("region", { name: "3 selected" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Deactivate 1" })).toBeTruthy();
    await click("Approve 2");
    const results = await dialog("How it went");
    expect(results.getByText("1 member was changed.")).toBeTruthy();
    expect(results.getByRole("listitem").textContent).toBe("Funke Eze: The group is full.");
    expect(changed.map(({ body }) => body)).toEqual([
      { groupId: "g1", action: "APPROVE", memberIds: ["dayo", "funke"] },
    ]);
  });

  it("adds one by email and puts a refusal beside the field", async () => {
    stands(group());
    const added = takes("post", "/GroupSavings/AddGroupMember", () =>
      no(409, "This person is in the group already.", "CONFLICT", "email"),
    );
    members();
    await userEvent.click(await screen.findByRole("button", { name: "Add member" }));
    const modal = await dialog("Add a member");
    await userEvent.type(modal.getByLabelText("Their email"), " bola@example.com ");
    await userEvent.click(modal.getByRole("button", { name: "Invite" }));
    expect(await modal.findByText("This person is in the group already.")).toBeTruthy();
    expect(added.map(({ body }) => body)).toEqual([{ groupId: "g1", email: "bola@example.com" }]);
  });
});
