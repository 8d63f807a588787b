import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Group, GroupDetails, Invitation, Leaving, Member } from "@/api/types";
import { JoinGroup } from "@/features/joining/screens/JoinGroup";
import { GroupControl } from "@/features/operator/parts/GroupControl";
import { CreateGroup } from "@/features/savings/screens/CreateGroup";
import { GroupPage } from "@/features/savings/screens/GroupPage";
import { GroupSettings } from "@/features/savings/screens/GroupSettings";
import { Groups } from "@/features/savings/screens/Groups";
import { InvitePeople } from "@/features/savings/screens/InvitePeople";
import { Members } from "@/features/savings/screens/Members";
import { emailsIn } from "@/lib/emails";
import { useStore } from "@/store/store";
import { ada, no, origin, show, signIn, yes } from "./help";
import { network } from "./setup";

const group = (over: Partial<Group> = {}): Group => ({
  id: "g1",
  name: "Balogun Traders",
  description: "Stock before Christmas",
  amount: 5000,
  memberCapacity: 20,
  memberCount: 3,
  startMonth: "November",
  startMonthId: 11,
  status: "ACTIVE",
  missing: [],
  ownerId: ada.id,
  role: "OWNER",
  memberStatus: "ACTIVE",
  invitationLink: "https://adashi.example/savings/join-group/g1?code=c",
  activeBalance: 45000,
  totalHidden: false,
  userTotalSavings: 15000,
  showTotalBalance: true,
  showTotalToMembers: true,
  paidThisMonth: 0,
  dueThisMonth: 0,
  dateCreated: "2026-11-01T09:00:00Z",
  ...over,
});

const member = (userId: string, firstName: string, over: Partial<Member> = {}): Member => ({
  userId,
  firstName,
  lastName: "Eze",
  role: "MEMBER",
  status: "ACTIVE",
  paidThisMonth: false,
  dateJoined: "2026-11-01T09:00:00Z",
  ...over,
});

const me = member(ada.id, "Ada", { role: "OWNER" });
const bola = member("bola", "Bola");
const chidi = member("chidi", "Chidi");
const dayo = member("dayo", "Dayo", { status: "PENDING" });

const details = (over: Partial<GroupDetails> = {}): GroupDetails => ({
  group: group(),
  officials: [me],
  waiting: 0,
  invited: 0,
  inactive: 0,
  subAccounts: 0,
  ...over,
});

const api = (path: string) => `${origin}/api${path}`;

/** Notes what is sent to an address, and answers it. */
function takes(
  method: "post" | "patch" | "delete",
  path: string,
  answer: () => Response = () => yes(undefined, "Done."),
) {
  const taken: { body: unknown; key: string | null; path: string }[] = [];
  network.use(
    http[method](api(path), async ({ request }) => {
      const text = await request.text();
      taken.push({
        body: text ? JSON.parse(text) : undefined,
        key: request.headers.get("Idempotency-Key"),
        path: new URL(request.url).pathname,
      });
      return answer();
    }),
  );
  return taken;
}

function stands(now: Group, its: GroupDetails = details(), members: Member[] = [me, bola, chidi]) {
  const there = members.filter(({ userId }) => userId !== "nobody");
  network.use(
    http.get(api("/GroupSavings/GetGroupSavingsInfo/g1"), () => yes({ ...now, members: there })),
    http.get(api("/GroupSavings/GetGroupDetails/g1"), () => yes({ ...its, group: now })),
    http.get(api("/GroupSavings/GetGroupSubAccounts/g1"), () =>
      yes({ groupSavingsId: "g1", groupName: now.name, SubAccounts: [] }),
    ),
    http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () => yes([now])),
    http.get(api("/GroupSavings/member-savings/g1"), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const found = there.filter(
        ({ status, firstName }) =>
          (!query.get("status") || status === query.get("status")) &&
          firstName.toLowerCase().includes((query.get("q") ?? "").toLowerCase()),
      );
      return yes({ members: found, count: found.length });
    }),
    http.get(api("/Ledger/checkpoint"), () => no(404, "There is none yet.", "NOT_FOUND")),
    http.get(api("/Ledger/keys"), () => yes([])),
    http.get(api("/v1/savings/groups/g1/charts"), () => yes({ months: [], members: [] })),
  );
}

const click = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

beforeEach(() => signIn());

describe("a group that is not active yet", () => {
  const page = () =>
    show(
      <Routes>
        <Route path="/savings/:id" element={<GroupPage />} />
      </Routes>,
      "/savings/g1",
    );
  const validator = "A validator: approve a member, then make them the validator.";
  const approver = "An approver besides the owner: approve a member, then make them an approver.";
  const items = () => [...document.querySelectorAll("[data-checklist] li")] as HTMLElement[];

  it("shows what is there and what is missing, each with the button that fixes it", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: ["The owner's BVN: verify it.", validator, approver] }));
    page();
    await screen.findByText(validator);
    expect(items().map((item) => item.textContent?.startsWith("Open"))).toEqual([true, true, true]);
    expect(screen.getByRole("link", { name: "Verify your BVN" }).getAttribute("href")).toBe(
      "/dashboard/profile/edit#bank",
    );
    expect(screen.getByRole("button", { name: "Set validator" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Appoint an approver" })).toBeTruthy();
  });

  it("has a chosen member appointed, and the list follows", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: [approver] }));
    const appointed = takes("post", "/v1/savings/groups/g1/approvers");
    page();
    await screen.findByText(approver);
    expect(items().map((item) => item.textContent?.slice(0, 4))).toEqual(["Done", "Open", "Done"]);
    await click("Appoint an approver");
    const modal = await dialog("Appoint an approver");
    await userEvent.click(modal.getByRole("button", { name: "Appoint an approver" }));
    expect(modal.getByText("Choose a member.")).toBeTruthy();
    await userEvent.click(await modal.findByRole("radio", { name: /Bola Eze/ }));
    stands(group(), details({ officials: [me, { ...bola, role: "APPROVER" }] }));
    await userEvent.click(modal.getByRole("button", { name: "Appoint an approver" }));
    await waitFor(() => expect(document.querySelector("[data-checklist]")).toBeNull());
    expect(appointed.map(({ body }) => body)).toEqual([{ memberId: "bola" }]);
    expect(appointed[0]?.key).toBeTruthy();
  });

  it("asks to invite people first where nobody could take the office", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: [validator] }), details(), [me]);
    page();
    const fix = await screen.findByRole("link", { name: "Invite people first" });
    expect(fix.getAttribute("href")).toBe("/savings/group/invite?group=g1");
  });
});

describe("the group's page", () => {
  const page = () =>
    show(
      <Routes>
        <Route path="/savings/:id" element={<GroupPage />} />
      </Routes>,
      "/savings/g1",
    );
  const ways = () => within(screen.getByRole("region", { name: "In this group" }));

  it("says the total is hidden, and leads a plain member to their own pages alone", async () => {
    const { activeBalance: _hidden, invitationLink: _link, ...rest } = group({ role: "MEMBER", totalHidden: true });
    stands(rest as Group);
    page();
    expect((await screen.findAllByText("Hidden by the owner")).length).toBeGreaterThan(0);
    expect(ways().queryByRole("link", { name: /Everybody's payments/ })).toBeNull();
    expect(ways().queryByRole("link", { name: /Validator's desk/ })).toBeNull();
    expect(
      ways()
        .getByRole("link", { name: /Your payments/ })
        .getAttribute("href"),
    ).toBe("/savings/g1/my-payments");
    expect(screen.queryByRole("link", { name: "Invite people" })).toBeNull();
  });

  it("leads the validator to the desk, with how far they are", async () => {
    stands(group({ role: "VALIDATOR", audit: { reviewed: 142, total: 145 } }));
    page();
    expect(await screen.findByText("142 of 145 payments validated")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Open the desk" }).getAttribute("href")).toBe("/savings/g1/audit");
  });

  it.each([
    ["SUSPENDED", "This group is suspended"],
    ["CLOSING", "This group is closing"],
    ["CLOSED", "This group is closed"],
    ["REJECTED", "This group was rejected"],
    ["CANCELLED", "This group was cancelled"],
  ] as const)("%s is said, with its reason, and nothing can be paid", async (status, words) => {
    const due = { subAccountId: "s", subAccountName: "Dues", groupId: "g1", groupName: "", period: "2026-11-01" };
    const nextDue = { ...due, label: "November 2026", monthId: 11, dueDate: "2026-11-30", amount: 5, paid: 0 };
    stands(
      group({ status, nextDue: { ...nextDue, outstanding: 5, status: "DUE" } }),
      details({ statusReason: "It was asked for." }),
    );
    page();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(await screen.findByText("Reason: It was asked for.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /^Pay/ })).toBeNull();
  });

  it("lets who is invited answer, and who declines is asked once more", async () => {
    const declined = takes("post", "/v1/savings/invitations/g1/decline");
    stands(group({ memberStatus: "INVITED", role: "MEMBER" }));
    page();
    await screen.findByText("You are invited to this group");
    await click("Decline: Balogun Traders");
    const sure = await dialog("Decline this invitation?");
    expect(declined).toEqual([]);
    await userEvent.click(sure.getByRole("button", { name: "Decline" }));
    await waitFor(() => expect(declined).toHaveLength(1));
  });

  it("tells who is inactive that their money is kept", async () => {
    stands(group({ memberStatus: "INACTIVE", role: "MEMBER" }));
    page();
    expect(await screen.findByText("You are inactive in this group")).toBeTruthy();
    expect(screen.queryByText("This month")).toBeNull();
  });
});

describe("a group that one has left", () => {
  it("shows nothing any more", async () => {
    stands(group());
    show(
      <Routes>
        <Route path="/savings/:id" element={<GroupPage />} />
      </Routes>,
      "/savings/g1",
    );
    await screen.findByText("Saved in this group");
    network.use(
      http.get(api("/GroupSavings/GetGroupSavingsInfo/g1"), () => no(404, "There is no such group.", "NOT_FOUND")),
    );
    act(() => useStore.getState().refreshTopics(["group:g1"]));
    expect(await screen.findByText("This group is open to its members")).toBeTruthy();
    expect(screen.queryByText("Saved in this group")).toBeNull();
  });
});

describe("an Admin", () => {
  const id = "0198a000-0000-7000-8000-000000000001";

  it("suspends a group by the address of its page, with a reason and a second thought", async () => {
    const judged = takes("post", `/Operator/groups/${id}/suspend`);
    show(<GroupControl />);
    await click("Continue");
    expect(await screen.findByText("Paste the address of the group's page, or its number.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText(/^The group's number/), `https://adashi.example/savings/${id}/members`);
    await userEvent.type(screen.getByLabelText(/^Reason/), "A court has ordered it.");
    await click("Continue");
    const sure = await dialog("Suspend this group?");
    expect(judged).toEqual([]);
    await userEvent.click(sure.getByRole("button", { name: "Suspend" }));
    await waitFor(() => expect(judged.map(({ body }) => body)).toEqual([{ reason: "A court has ordered it." }]));
  });
});

describe("the overview", () => {
  it("puts invitations and who waits before the groups, and leaves out what ended", async () => {
    const approved = takes("patch", "/GroupSavings/ApproveGroupMember");
    network.use(
      http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () =>
        yes([
          group(),
          group({ id: "g2", name: "Ikeja Teachers", memberStatus: "INVITED", role: "MEMBER" }),
          group({ id: "g3", name: "Old Boys", status: "CLOSED" }),
        ]),
      ),
      http.get(api("/GroupSavings/pending-group-savings/:id"), () =>
        yes({
          groups: [],
          members: [{ groupId: "g1", groupName: "Balogun Traders", member: dayo }],
          invited: [
            { groupId: "g2", groupName: "Ikeja Teachers", member: { ...me, status: "INVITED" }, expires: "2026-12-05" },
          ],
        }),
      ),
    );
    show(<Groups />, "/savings");
    expect(await screen.findByText("Answer by 5 Dec 2026.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Accept: Ikeja Teachers" })).toBeTruthy();
    expect(screen.queryByText("Old Boys")).toBeNull();
    await click("Approve Dayo Eze");
    await waitFor(() => expect(approved.map(({ body }) => body)).toEqual([{ groupId: "g1", memberId: "dayo" }]));
  });
});

describe("creating a group", () => {
  it("goes step by step, keeps what was typed, and sends it once", async () => {
    const created = takes("post", "/GroupSavings/CreateGroupSavings", () => yes({ id: "g9" }, "Created."));
    network.use(http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () => yes([])));
    show(<CreateGroup />, "/savings/create");
    await click("Continue");
    expect(await screen.findByText("Give it a name of 3 to 60 characters.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Name of the group"), "Balogun Traders");
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("Contribution a month"), "5000");
    const capacity = screen.getByLabelText("How many members at most?");
    await userEvent.clear(capacity);
    await userEvent.type(capacity, "2");
    await click("Continue");
    expect(await screen.findByText("Enter a whole number from 3 to 10,000.")).toBeTruthy();
    await userEvent.clear(capacity);
    await userEvent.type(capacity, "3");
    await click("Continue");
    await userEvent.click(await screen.findByRole("radio", { name: /Officials only/ }));
    await click("Review");
    await click("Change: Name of the group");
    expect((screen.getByLabelText("Name of the group") as HTMLInputElement).value).toBe("Balogun Traders");
    await click("Continue");
    await screen.findByLabelText("Contribution a month");
    await click("Continue");
    await screen.findByRole("radio", { name: /Officials only/ });
    await click("Review");
    await click("Create group");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/savings/g9"));
    expect(created.map(({ body }) => body)).toEqual([
      expect.objectContaining({ name: "Balogun Traders", amount: 5000, memberCapacity: 3, showTotalBalance: false }),
    ]);
  });
});

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
    expect(left.map(({ body }) => body)).toEqual([{ forfeit: true }]);
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
        succession: { candidateId: "bola", candidateName: "Bola Eze", votes: 1, needed: 2, voted: false },
      }),
    );
    const votes = takes("post", "/v1/savings/groups/g1/succession/vote");
    settings();
    expect(await screen.findByText("Bola Eze has 1 of 2 votes.")).toBeTruthy();
    await click("Agree");
    await waitFor(() => expect(votes.map(({ body }) => body)).toEqual([{ candidateId: "bola", agrees: true }]));
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
  const at = (memberStatus: Invitation["memberStatus"]) => {
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
