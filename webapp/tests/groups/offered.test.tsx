import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { Invitation } from "@/api/schema.gen";
import { Documents } from "@/features/groups/documents/screens/Documents";
import { CreateGroup } from "@/features/groups/home/screens/CreateGroup";
import { GroupPage } from "@/features/groups/home/screens/GroupPage";
import { JoinGroup } from "@/features/groups/joining/screens/JoinGroup";
import { InvitePeople } from "@/features/groups/members/screens/InvitePeople";
import { Members } from "@/features/groups/members/screens/Members";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { account, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { api, bola, chidi, click, dayo, details, dialog, group, me, stands } from "./groupLife";

beforeEach(signIn);

describe("only what one may do is offered", () => {
  it("to the validator the link, and no letters that they would be refused", async () => {
    stands(group({ role: "VALIDATOR" }));
    show(<InvitePeople />, "/savings/group/invite?group=g1");
    await screen.findByText(group().invitationLink ?? "");
    expect(screen.queryByLabelText("Email addresses")).toBeNull();
    expect(screen.getByText("Whoever opens the link can ask to join. An approver lets them in.")).toBeTruthy();
  });

  it.each([
    ["MEMBER", false],
    ["VALIDATOR", true],
    ["APPROVER", true],
  ] as const)("to a %s adding documents: %s", async (role, may) => {
    stands(group({ role }));
    network.use(http.get(api("/GroupSavings/get-group-documents/g1"), () => yes([])));
    show(<Documents />, "/savings/documents?group=g1");
    await screen.findByText("No documents yet");
    expect(screen.queryByText("Add a document") !== null).toBe(may);
  });
});

describe("a notification about a member", () => {
  it("opens them", async () => {
    stands(group(), details({ waiting: 1 }), [me, bola, chidi, dayo]);
    show(
      <Routes>
        <Route path="/savings/:id/members" element={<Members />} />
      </Routes>,
      "/savings/g1/members?status=PENDING&member=dayo",
    );
    expect((await dialog("Dayo Eze")).getByRole("button", { name: /Approve/ })).toBeTruthy();
  });
});

describe("joining by the link", () => {
  it("says what the server said: that one waits", async () => {
    stands(group(), details(), []);
    const invitation: Invitation = {
      groupId: "g1",
      name: "Balogun Traders",
      description: "",
      amount: 5000,
      memberCount: 3,
      memberCapacity: 20,
      invitedBy: "Bola Eze",
      invitedByVerified: true,
    };
    network.use(
      http.get(api("/v1/savings/invitations/g1"), () => yes(invitation)),
      http.get(api("/GroupSavings/GetUserGroupSavings/:id"), () => yes([])),
      http.post(api("/GroupSavings/JoinGroupSavings"), () =>
        yes(undefined, "You asked to join Balogun Traders; an approver lets you in."),
      ),
    );
    show(
      <Routes>
        <Route path="/savings/join-group/:groupId" element={<JoinGroup />} />
      </Routes>,
      "/savings/join-group/g1?code=c",
    );
    await userEvent.click(await screen.findByRole("button", { name: "Join the group" }));
    await screen.findByText("You asked to join Balogun Traders; an approver lets you in.");
    expect(screen.queryByText(/successfully joined/)).toBeNull();
  });
});

describe("founding a group", () => {
  it("says in the summary that “Monthly dues” opens with it", async () => {
    useStore.getState().put(profileSource, account);
    show(<CreateGroup />, "/savings/create");
    await userEvent.type(await screen.findByLabelText("Name of the group"), "Balogun Traders");
    await click("Continue");
    await userEvent.type(await screen.findByLabelText("Contribution a month"), "5000");
    await click("Continue");
    await click("Review");
    const opens = (await screen.findByText(/“Monthly dues” opens with the group/)).textContent;
    expect(opens).toContain("₦5,000.00");
  });

  const page = () =>
    show(
      <Routes>
        <Route path="/savings/:id" element={<GroupPage />} />
      </Routes>,
      "/savings/g1",
    );

  it("lists who cannot decide on money yet, apart from what keeps the group from becoming active", async () => {
    const validator = { ...bola, role: "VALIDATOR" as const };
    const its = details({ officials: [me, validator], mayDecide: [me.userId] });
    stands(group({ status: "PENDING_APPROVAL", missing: [] }), its);
    page();
    await userEvent.click(await screen.findByRole("button", { name: "Show all steps" }));
    expect(await screen.findByText(/Not yet: Bola Eze\. Until then they can't decide on money\./)).toBeTruthy();
    expect(document.querySelector("[data-checklist]")?.textContent).not.toContain("Bola Eze");
  });
});
