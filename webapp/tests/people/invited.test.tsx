import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import { Signup } from "@/features/people/account/screens/Signup";
import { invitationAt, invitationPath } from "@/lib/invitations";
import { useKeptInvitation } from "@/store/useKeptInvitation";
import { AtTheDoor, NotForMe } from "@/ui/inviting/Door";
import { origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const link = "/savings/join-group/g1?code=Qx7-_a";

function Kept() {
  return <NotForMe {...useKeptInvitation(true)} />;
}

/** Notes what comes to an address. */
function heard(path: string) {
  const bodies: unknown[] = [];
  network.use(
    http.post(origin + path, async ({ request }) => {
      bodies.push(await request.json());
      return yes(undefined, "You put this invitation aside. Its link still works.");
    }),
  );
  return bodies;
}

describe("an invitation", () => {
  it("is read from the address of its link, and from no other", () => {
    expect(invitationAt(link)).toEqual({ savingsId: "g1", invitationCode: "Qx7-_a" });
    expect(invitationAt("/ajo/join-group/a1")).toEqual({ ajoId: "a1", invitationCode: "" });
    for (const other of ["", "/", "/savings/g1", "/ajo/join-group/", "//evil.example/savings/join-group/g1"]) {
      expect(invitationAt(other)).toBeUndefined();
    }
    for (const address of [link, "/ajo/join-group/a1", "/ajo/join-group/a1?code=b"]) {
      expect(invitationPath(invitationAt(address) ?? {})).toBe(address);
    }
    expect(invitationPath({})).toBeUndefined();
  });

  it("goes with the sign-up of somebody who comes from the link", async () => {
    const sent = heard("/api/Account/Register");
    const { unmount } = show(<AtTheDoor />, link);
    await userEvent.click(screen.getByRole("link", { name: "Create an account" }));
    const { from } = screen.getByTestId("place").dataset;
    unmount();
    show(<Signup />, { pathname: "/signup", state: { from } });
    expect(screen.getByText(/come back to the invitation/)).toBeTruthy();
    for (const [label, text] of Object.entries({
      "First name": "Ada",
      "Last name": "Obi",
      Email: "ada@example.com",
      "Phone number": "08031234567",
      "Date of birth": "1990-05-17",
      Password: "good-enough",
    })) {
      await userEvent.type(screen.getByLabelText(label), text);
    }
    await userEvent.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() => expect(sent).toMatchObject([{ savingsId: "g1", invitationCode: "Qx7-_a" }]));
  });

  it("is kept on the account while its person looks at it, until they put it aside", async () => {
    const kept = heard("/api/v1/account/invitations");
    const forgotten = heard("/api/v1/account/invitations/forget");
    signIn();
    show(<Kept />, link);
    await waitFor(() => expect(kept).toEqual([{ savingsId: "g1", invitationCode: "Qx7-_a" }]));
    expect(forgotten).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "No, thanks" }));
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/dashboard"));
    expect(forgotten).toEqual([{ savingsId: "g1", invitationCode: "Qx7-_a" }]);
    expect(kept.length).toBe(1);
  });
});
