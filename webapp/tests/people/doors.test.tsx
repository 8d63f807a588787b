import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { LoginRequired } from "@/app/guards";
import { ChangePassword } from "@/features/people/account/screens/ChangePassword";
import { FromMail } from "@/features/people/account/screens/FromMail";
import { SendReset } from "@/features/people/account/screens/SendReset";
import { Signup } from "@/features/people/account/screens/Signup";
import { GuardianConsent } from "@/features/people/profile/screens/GuardianConsent";
import { useStore } from "@/store/store";
import { account, ada, faultOf, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

/** Notes the bodies that come to an address, and answers each in turn. */
function posts(path: string, ...turns: (() => Response)[]) {
  const bodies: unknown[] = [];
  network.use(
    http.post(origin + path, async ({ request }) => {
      bodies.push(await request.json());
      return (turns[bodies.length - 1] ?? turns.at(-1) ?? (() => yes()))();
    }),
  );
  return bodies;
}

describe("signing up", () => {
  it("ends in asking to click the link, and the address is remembered for the verification", async () => {
    posts("/api/Account/Register", () => yes(undefined, "Registered."));
    show(<Signup />, "/signup");
    await type("First name", "Ada");
    await type("Last name", "Obi");
    await type("Email", "ada@example.com");
    await type("Phone number", "0803 123 4567");
    await type("Date of birth", "1990-05-17");
    await type("Password", "good-enough");
    await click("Create account");
    const words = "Kindly click on the email verification link sent to your email.";
    expect(await screen.findByText(`Registered. ${words}`)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Check your email" })).toBeTruthy();
    expect(useStore.getState().signedUpAs).toBe("ada@example.com");
    const resent = posts("/api/v1/account/resend-verification");
    await click("Send it again");
    await screen.findByText(/a new mail is on its way/);
    expect(resent).toEqual([{ email: "ada@example.com" }]);
  });

  it("puts a refused address beside its field", async () => {
    posts("/api/Account/Register", () => no(400, "This address looks like another's.", "INVALID", "email"));
    show(<Signup />, "/signup");
    await type("First name", "Ada");
    await type("Last name", "Obi");
    await type("Email", "ada@example.com");
    await type("Phone number", "08031234567");
    await type("Date of birth", "1990-05-17");
    await type("Password", "good-enough");
    await click("Create account");
    await screen.findByText("This address looks like another's.");
    expect(faultOf(screen.getByLabelText("Email"))).toBe("This address looks like another's.");
  });
});

describe("/verifyMail", () => {
  const verified = (invitation = {}) => yes({ email: "ada@example.com", ...invitation }, "Your email is verified.");

  it("opened by the link, asks for the password and logs in with it, to where one was invited", async () => {
    const sent = posts("/api/v1/account/verify-email", () => verified({ savingsId: "g1", invitationCode: "c" }));
    const logins = posts("/api/Account/GetToken", () => yes(ada));
    network.use(http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(account)));
    show(<FromMail />, "/verifyMail?token=abc");
    expect(sent).toEqual([]);
    await type("Password you chose at sign-up", "good-enough{Enter}");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/savings/join-group/g1?code=c"));
    expect(sent).toEqual([{ token: "abc", password: "good-enough" }]);
    expect(logins).toEqual([{ email: "ada@example.com", password: "good-enough" }]);
    expect(useStore.getState()).toMatchObject({ authenticated: true });
  });

  it("leads to the login with the address filled in where that does not let in, and where somebody is logged in", async () => {
    posts("/api/v1/account/verify-email", () => verified());
    const logins = posts("/api/Account/GetToken", () => no(429, "Please wait.", "TOO_MANY"));
    show(<FromMail />, "/verifyMail?token=abc");
    await type("Password you chose at sign-up", "good-enough{Enter}");
    await screen.findByRole("heading", { name: "Your email is verified" });
    expect(screen.queryByText("Please wait.")).toBeNull();
    expect(logins.length).toBe(1);
    cleanup();
    signIn();
    show(<FromMail />, "/verifyMail?token=abc");
    await type("Password you chose at sign-up", "good-enough{Enter}");
    await screen.findByRole("heading", { name: "Your email is verified" });
    expect(logins.length).toBe(1);
  });

  it("says a wrong password beside the field, and for a spent link offers a new one", async () => {
    posts(
      "/api/v1/account/verify-email",
      () => no(400, "That is not the password.", "CREDENTIALS", "password"),
      () => no(400, "This link was used or has expired.", "CREDENTIALS"),
    );
    const resent = posts("/api/v1/account/resend-verification");
    show(<FromMail />, "/verifyMail?token=abc");
    await type("Password you chose at sign-up", "wrong-wrong{Enter}");
    await screen.findByText("That is not the password.");
    expect(faultOf(screen.getByLabelText("Password you chose at sign-up"))).toBe("That is not the password.");
    await click("Verify my email");
    await screen.findByText("This link was used or has expired.");
    await type("Email", "ada@example.com");
    await click("Send it again");
    await screen.findByText(/a new mail is on its way/);
    expect(resent).toEqual([{ email: "ada@example.com" }]);
  });

  it("without a link, explains and offers to send the mail again", async () => {
    useStore.setState({ signedUpAs: "ada@example.com" });
    show(<FromMail />, "/verifyMail");
    expect(screen.getByText(/Click the link in the mail/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.com");
  });
});

describe("a forgotten password", () => {
  it("is asked about with an address alone, and the answer tells nothing about it", async () => {
    const sent = posts("/api/Account/SendPasswordResetLink");
    show(<SendReset />, "/send_forgot_password_mail");
    await type("Email", "nobody");
    await click("Send the link");
    expect(faultOf(screen.getByLabelText("Email"))).toMatch(/Enter your email/);
    await type("Email", "@example.com");
    await click("Send the link");
    await screen.findByRole("heading", { name: "Check your email" });
    expect(screen.getAllByText(/If there is an account with this address/).length).toBeGreaterThan(0);
    expect(sent).toEqual([{ email: "nobody@example.com" }]);
  });

  it("says the action's sentence when nothing answers", async () => {
    network.use(http.post(`${origin}/api/Account/SendPasswordResetLink`, () => Response.error()));
    show(<SendReset />, "/send_forgot_password_mail");
    await type("Email", "ada@example.com");
    await click("Send the link");
    expect(
      await screen.findByText("Unable to send password reset link at the moment, please try again later"),
    ).toBeTruthy();
  });

  it("is replaced once the two typings agree, and leads to the login, which says so", async () => {
    const sent = posts("/api/Account/ResetPassword", () => yes());
    show(<FromMail />, "/forgot_password?token=r1");
    await type("New password", "short");
    await type("New password again", "other");
    await click("Save the new password");
    expect(faultOf(screen.getByLabelText("New password"))).toBe("Use 8 characters or more.");
    expect(faultOf(screen.getByLabelText("New password again"))).toBe("The two are not the same.");
    expect(sent).toEqual([]);
    await userEvent.clear(screen.getByLabelText("New password"));
    await userEvent.clear(screen.getByLabelText("New password again"));
    await type("New password", "much-better");
    await type("New password again", "much-better");
    await click("Save the new password");
    await waitFor(() => expect(screen.getByTestId("place").textContent).toBe("/login"));
    expect(sent).toEqual([{ token: "r1", newPassword: "much-better" }]);
    expect(useStore.getState().ended).toBe("password");
  });

  it("with a used link says what to do", async () => {
    posts("/api/Account/ResetPassword", () => no(400, "This link was used already.", "CREDENTIALS"));
    show(<FromMail />, "/forgot_password?token=r1");
    await type("New password", "much-better");
    await type("New password again", "much-better{Enter}");
    await screen.findByText("This link was used already.");
    expect(screen.getByText(/^A link works once and for 20 minutes/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Send a new link" }).getAttribute("href")).toBe(
      "/send_forgot_password_mail",
    );
  });
});

describe("/change_password", () => {
  const app = (
    <Routes>
      <Route element={<LoginRequired />}>
        <Route path="/change_password" element={<ChangePassword />} />
      </Route>
      <Route path="/login" element={<p>login</p>} />
    </Routes>
  );

  it("ends this session too, without a second call, and does not lead back here after the login", async () => {
    const sent = posts("/api/Account/ChangePassword");
    signIn();
    show(app, "/change_password");
    expect(screen.getByText(/logged out everywhere/)).toBeTruthy();
    await type("Current password", "good-enough");
    await type("New password", "much-better");
    await type("New password again", "much-better{Enter}");
    await screen.findByText("login");
    expect(sent).toEqual([
      { email: ada.email, userId: ada.id, currentPassword: "good-enough", newPassword: "much-better" },
    ]);
    expect(useStore.getState().session).toBeNull();
    expect(screen.getByTestId("place").dataset.from).toBe("");
  });

  it("says a wrong current password beside its field and stays", async () => {
    posts("/api/Account/ChangePassword", () => no(400, "That is not it.", "CREDENTIALS", "currentPassword"));
    signIn();
    show(app, "/change_password");
    await type("Current password", "good-enough");
    await type("New password", "much-better");
    await type("New password again", "much-better{Enter}");
    await screen.findByText("That is not it.");
    expect(faultOf(screen.getByLabelText("Current password"))).toBe("That is not it.");
    expect(useStore.getState().authenticated).toBe(true);
  });
});

describe("a change of address", () => {
  it("is confirmed by the button alone and ends the session", async () => {
    const sent = posts("/api/v1/account/confirm-email");
    signIn();
    show(<FromMail />, "/confirm-email?token=e1");
    expect(sent).toEqual([]);
    await click("Confirm this address");
    await waitFor(() => expect(useStore.getState().ended).toBe("email"));
    expect(sent).toEqual([{ token: "e1" }]);
  });
});

describe("a change that was not the owner's", () => {
  it("is undone by the button alone and ends the session", async () => {
    const sent = posts("/api/v1/account/undo");
    signIn();
    show(<FromMail />, "/undo?token=u1");
    expect(sent).toEqual([]);
    await click("Undo the change");
    await waitFor(() => expect(useStore.getState().ended).toBe("password"));
    expect(sent).toEqual([{ token: "u1" }]);
  });
});

describe("a guardian", () => {
  const asked = { minor: "Tobi Ade", guardian: "Mrs Ade", status: "ASKED" };

  it("sees what is asked, consents with a full name, and is thanked", async () => {
    const sent = posts(
      "/api/v1/account/guardian/consent",
      () => yes(asked),
      () => yes({ ...asked, status: "CONSENTED" }),
    );
    show(<GuardianConsent />, "/guardian-consent?token=g1");
    await screen.findByText(/Tobi Ade is between 15 and 17/);
    expect(sent).toEqual([{ token: "g1" }]);
    await click("I consent");
    expect(faultOf(screen.getByLabelText("Your full name"))).toBe("Type your full name.");
    expect(sent).toHaveLength(1);
    await type("Your full name", "Funke Ade");
    await click("I consent");
    await screen.findByText("Thank you. Your consent is recorded.");
    expect(sent[1]).toEqual({ token: "g1", accept: true, name: "Funke Ade" });
  });

  it("may refuse, and needs no name for it", async () => {
    const sent = posts(
      "/api/v1/account/guardian/consent",
      () => yes(asked),
      () => yes({ ...asked, status: "REFUSED" }),
    );
    show(<GuardianConsent />, "/guardian-consent?token=g1");
    await screen.findByText(/Tobi Ade is between/);
    await click("I do not consent");
    await screen.findByText("Your answer is recorded.");
    expect(sent[1]).toEqual({ token: "g1", accept: false, name: "" });
  });

  it("with a link that is over, is told what to do", async () => {
    posts("/api/v1/account/guardian/consent", () => no(400, "This link has expired.", "CREDENTIALS"));
    show(<GuardianConsent />, "/guardian-consent?token=g1");
    await screen.findByText("This link has expired.");
    expect(screen.getByText(/works for 14 days/)).toBeTruthy();
  });
});

describe("what is public", () => {
  it("asks nothing of the server until somebody does something", async () => {
    const calls = vi.fn();
    network.events.on("request:start", calls);
    show(<FromMail />, "/verifyMail?token=t");
    show(<FromMail />, "/forgot_password?token=t");
    show(<FromMail />, "/confirm-email?token=t");
    show(<FromMail />, "/undo?token=t");
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls).not.toHaveBeenCalled();
    network.events.removeListener("request:start", calls);
  });
});
