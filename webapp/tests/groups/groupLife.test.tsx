import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { AgendaRow, Group } from "@/api/schema.gen";
import { CreateGroup } from "@/features/groups/home/screens/CreateGroup";
import { GroupPage } from "@/features/groups/home/screens/GroupPage";
import { Groups } from "@/features/groups/home/screens/Groups";
import { GroupControl } from "@/features/trust/operator/parts/GroupControl";
import { lagosDay } from "@/lib/dates";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { account, no, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { api, bola, click, dayo, details, dialog, group, me, member, stands, takes } from "./groupLife";

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

  const allSteps = async () => userEvent.click(await screen.findByRole("button", { name: "Show all steps" }));

  it("says in one bar how far it is, with the button of the next step", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: [validator] }));
    page();
    expect(await screen.findByText("2 of 3 done · Appoint a validator")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Set validator" })).toBeTruthy();
    expect(document.querySelector("[data-checklist]")).toBeNull();
  });

  it("shows an approver the next step that they can take, not the owner's", async () => {
    const missing = ["The owner's BVN: verify it.", validator];
    stands(group({ status: "PENDING_APPROVAL", role: "APPROVER", missing }));
    page();
    expect(await screen.findByText("1 of 3 done · Appoint a validator")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Verify your BVN" })).toBeNull();
  });

  it("tells a plain member no more than that it is not active", async () => {
    stands(group({ status: "PENDING_APPROVAL", role: "MEMBER", missing: [validator] }));
    page();
    expect(await screen.findByText(/^This group is not active yet\./)).toBeTruthy();
    expect(document.querySelector("[data-setup]")).toBeNull();
    expect(screen.queryByRole("button", { name: "Set validator" })).toBeNull();
  });

  it("shows what is there and what is missing, each with the button that fixes it", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: ["The owner's BVN: verify it.", validator, approver] }));
    page();
    await allSteps();
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
    await allSteps();
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

  it("appoints nobody who is no longer on the screen", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: [approver] }));
    const appointed = takes("post", "/v1/savings/groups/g1/approvers");
    page();
    await allSteps();
    await screen.findByText(approver);
    await click("Appoint an approver");
    const modal = await dialog("Appoint an approver");
    await userEvent.click(await modal.findByRole("radio", { name: /Bola Eze/ }));
    await userEvent.type(modal.getByLabelText("Find the member"), "Chidi");
    await waitFor(() => expect(modal.queryByRole("radio", { name: /Bola Eze/ })).toBeNull());
    await userEvent.click(modal.getByRole("button", { name: "Appoint an approver" }));
    await modal.findByText("Choose a member.");
    expect(appointed).toEqual([]);
  });

  it("asks to invite people first where nobody could take the office", async () => {
    stands(group({ status: "PENDING_APPROVAL", missing: [validator] }), details(), [me]);
    page();
    const fix = await screen.findByRole("link", { name: "Invite people first" });
    expect(fix.getAttribute("href")).toBe("/savings/group/invite?group=g1");
  });
});

describe("the group's page", () => {
  const page = (query = "") =>
    show(
      <Routes>
        <Route path="/savings/:id" element={<GroupPage />} />
      </Routes>,
      `/savings/g1${query}`,
    );
  const tabs = () => within(screen.getByRole("navigation", { name: "Parts of the group" }));
  const due = {
    subAccountId: "s1",
    subAccountName: "Dues",
    groupId: "g1",
    groupName: "Balogun Traders",
    period: "2026-11-01",
    label: "November 2026",
    monthId: 11,
    dueDate: "2026-11-30",
    amount: 5000,
    paid: 0,
    outstanding: 5000,
    status: "DUE",
  } as const;
  const waits = (...rows: Partial<AgendaRow>[]) =>
    network.use(
      http.get(api("/v1/agenda"), () =>
        yes(
          rows.map((row) => ({
            id: row.title,
            kind: "REQUEST",
            late: false,
            button: "Approve",
            link: "/savings/g1/liquidation-requests?request=l1",
            place: { kind: "GROUP", id: "g1", name: "Balogun Traders" },
            ...row,
          })),
        ),
      ),
    );
  const bar = () => document.querySelector("[data-bar]")?.textContent;

  it("says the total is hidden, and leads a plain member to their own pages alone", async () => {
    const { activeBalance: _hidden, invitationLink: _link, ...rest } = group({ role: "MEMBER", totalHidden: true });
    stands(rest as Group);
    page();
    expect((await screen.findAllByText("Hidden by the owner")).length).toBeGreaterThan(0);
    expect(
      tabs()
        .getAllByRole("link")
        .map((link) => [link.textContent, link.getAttribute("href")]),
    ).toEqual([
      ["Overview", "/savings/g1"],
      ["Payments", "/savings/g1/my-payments"],
      ["Members", "/savings/g1/members"],
      ["Requests", "/savings/g1/liquidation-requests"],
      ["More", "/savings/g1?tab=more"],
    ]);
    expect(tabs().getByRole("link", { name: "Overview" }).getAttribute("aria-current")).toBe("page");
    await userEvent.click(await screen.findByRole("button", { name: /^Checked/ }));
    const details = await dialog("Checked");
    expect(details.queryByRole("link", { name: "Open the desk" })).toBeNull();
    expect(details.getByRole("link", { name: "Closed months" }).getAttribute("href")).toBe("/months/g1");
  });

  it("has the other pages behind More, each for those who may go there", async () => {
    stands(group());
    const { unmount } = page("?tab=more");
    const links = () =>
      within(screen.getByRole("region", { name: "In this group" }))
        .getAllByRole("link")
        .map((link) => link.getAttribute("href"));
    await screen.findByRole("region", { name: "In this group" });
    expect(links()).toEqual([
      "/savings/g1/sub-accounts",
      "/savings/documents?group=g1",
      "/savings/group/invite?group=g1",
      "/disputes/new?group=g1",
      "/savings/g1/settings",
    ]);
    expect(await screen.findByRole("region", { name: "Contributions by month" })).toBeTruthy();
    unmount();
    useStore.setState({ reads: {} });
    const { invitationLink: _none, ...rest } = group({ role: "MEMBER", memberStatus: "INACTIVE" });
    stands(rest as Group);
    page("?tab=more");
    await screen.findByRole("region", { name: "In this group" });
    expect(links()).toEqual(["/disputes/new?group=g1", "/savings/g1/settings"]);
    expect(tabs().queryByRole("link", { name: "Members" })).toBeNull();
  });

  it("leads the validator to the desk, with how far they are", async () => {
    stands(group({ role: "VALIDATOR", audit: { reviewed: 142, total: 145 } }));
    page();
    await userEvent.click(await screen.findByRole("button", { name: /^Checked\s*142 of 145 payments validated/ }));
    const details = await dialog("Checked");
    expect(details.getByRole("link", { name: "Open the desk" }).getAttribute("href")).toBe("/savings/g1/audit");
  });

  it("counts who has paid in the month, with the first faces and a tick for each", async () => {
    const many = Array.from({ length: 8 }, (_, at) => member(`m${at}`, `Member${at}`, { paidThisMonth: at < 6 }));
    stands(group({ memberCount: 8, paidThisMonth: 6, dueThisMonth: 8 }), details(), many);
    page();
    expect(await screen.findByText(/^6 of 8 paid in [A-Z][a-z]+$/)).toBeTruthy();
    expect(document.querySelectorAll("[data-member]")).toHaveLength(6);
    expect(screen.getByRole("listitem", { name: "Member0 Eze, paid this month" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "and 2 more" }).getAttribute("href")).toBe("/savings/g1/members");
  });

  it("says how much more is set aside, and nothing where nothing is", async () => {
    stands(group({ activeBalance: 45_000.1, bookBalance: 105_000.3 }));
    const { unmount } = page();
    expect(await screen.findByText("₦60,000.20 more is set aside for payouts")).toBeTruthy();
    unmount();
    useStore.setState({ reads: {} });
    stands(group({ activeBalance: 45_000, bookBalance: 45_000 }));
    page();
    await screen.findByText("Saved in this group");
    expect(document.querySelector("[data-set-aside]")).toBeNull();
  });

  it("has the next payment in the bar, with its amount", async () => {
    stands(group({ role: "MEMBER", nextDue: due }));
    page();
    const pay = await screen.findByRole("link", { name: "Pay ₦5,000.00 Dues, November 2026" });
    expect(pay.closest("[data-bar]")).not.toBeNull();
    expect(pay.getAttribute("href")).toContain("period=2026-11-01");
    expect(bar()).toContain("by 30 Nov 2026");
  });

  it("puts what waits for an official above everything, and leaves other groups out", async () => {
    stands(group({ nextDue: { ...due, status: "SCHEDULED" } }), details({ waiting: 1 }), [me, bola, dayo]);
    const elsewhere = { kind: "GROUP", id: "g2", name: "Ikeja Teachers" } as const;
    waits(
      { title: "Femi asks the group to pay", amount: 12_000 },
      { title: "Another group's", place: elsewhere },
      { title: "Dues, November 2026", kind: "GROUP_DUE" },
    );
    page();
    const card = within(await screen.findByRole("region", { name: "Waiting for you" }));
    expect(await card.findByRole("button", { name: "Approve Dayo Eze" })).toBeTruthy();
    const request = await card.findByRole("link", { name: "Approve Femi asks the group to pay" });
    expect(request.getAttribute("href")).toBe("/savings/g1/liquidation-requests?request=l1");
    expect(card.queryByRole("button", { name: /^Show \d+ more/ }), "a row of another group").toBeNull();
    expect(card.queryByText("Dues, November 2026")).toBeNull();
    expect(bar()).toContain("Femi asks the group to pay");
    const hero = document.querySelector("[data-hero]") as Element;
    expect(
      request.compareDocumentPosition(hero) & Node.DOCUMENT_POSITION_FOLLOWING,
      "what waits is above the total",
    ).toBeTruthy();
  });

  it("puts an official's own due before what waits, once it is due", async () => {
    stands(group({ nextDue: due }));
    waits({ title: "Femi asks the group to pay" });
    page();
    await screen.findByRole("region", { name: "Waiting for you" });
    expect(bar()).toContain("Pay ₦5,000.00");
  });

  it("shows a plain member nothing that waits for officials, and does not ask for it", async () => {
    stands(group({ role: "MEMBER", nextDue: due }), details(), [me, bola, dayo]);
    let asked = 0;
    network.use(
      http.get(api("/v1/agenda"), () => {
        asked++;
        return yes([]);
      }),
    );
    page();
    await screen.findByText("Saved in this group");
    expect(screen.queryByRole("region", { name: "Waiting for you" })).toBeNull();
    expect(asked).toBe(0);
  });

  it.each([
    ["SUSPENDED", "This group is suspended"],
    ["CLOSING", "This group is closing"],
    ["CLOSED", "This group is closed"],
    ["REJECTED", "This group was rejected"],
    ["CANCELLED", "This group was cancelled"],
  ] as const)("%s is said, with its reason, and nothing can be paid", async (status, words) => {
    stands(group({ status, nextDue: due }), details({ statusReason: "It was asked for." }));
    page();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(await screen.findByText("Reason: It was asked for.")).toBeTruthy();
    expect(screen.getByText("Your next payment")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /^Pay / })).toBeNull();
    expect(bar()).toBeUndefined();
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
    expect(document.querySelector("[data-member]")).toBeNull();
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
  it("is not for who is under 18, and says so before the form", async () => {
    const birth = `${Number(lagosDay().slice(0, 4)) - 17}-01-01`;
    useStore.getState().put(profileSource, { ...account, dateOfBirth: birth });
    show(<CreateGroup />, "/savings/create");
    expect(await screen.findByRole("heading", { name: "You can found a group from the age of 18 on" })).toBeTruthy();
    expect(screen.queryByLabelText("Name of the group")).toBeNull();
  });

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
