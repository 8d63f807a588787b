import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { Login } from "@/features/people/account/screens/Login";
import { useStore } from "@/store/store";
import { account, ada, faultOf, no, origin, show, yes } from "../kit/help";
import { network } from "../kit/network";

const email = () => screen.getByLabelText<HTMLInputElement>("Email");
const password = () => screen.getByLabelText<HTMLInputElement>("Password");
const submit = () => userEvent.click(screen.getByRole("button", { name: "Log in" }));

async function fill() {
  await userEvent.type(email(), "ada@example.com");
  await userEvent.type(password(), "good-enough");
  await submit();
}

describe("login", () => {
  beforeEach(() => network.use(http.get(`${origin}/api/Account/GetUserInfoById/:id`, () => yes(account))));

  it("asks for a code on the same screen, keeps what was typed, and takes the code without its spaces", async () => {
    const sent: unknown[] = [];
    network.use(
      http.post(`${origin}/api/Account/GetToken`, async ({ request }) => {
        const body = (await request.json()) as { code?: string };
        sent.push(body);
        if (body.code === undefined) return no(400, "Enter the code of your app.", "CREDENTIALS", "code");
        if (body.code === "000000") return no(400, "This code is not right.", "CREDENTIALS", "code");
        return yes(ada, "Welcome back");
      }),
    );
    show(<Login />, "/login");
    await fill();
    const code = await screen.findByLabelText("Code from your authenticator app");
    await waitFor(() => expect(document.activeElement).toBe(code));
    expect(faultOf(code)).toBe("");
    expect([email().value, password().value]).toEqual(["ada@example.com", "good-enough"]);
    await userEvent.type(code, "000 000{Enter}");
    await screen.findByText("This code is not right.");
    expect(faultOf(code)).toBe("This code is not right.");
    expect(useStore.getState().authenticated).toBe(false);
    await userEvent.clear(code);
    await userEvent.type(code, "123 456{Enter}");
    await waitFor(() => expect(useStore.getState().authenticated).toBe(true));
    // The next screen shows the outcome.
    expect(document.querySelector("[data-toast]")).toBeNull();
    const typed = { email: "ada@example.com", password: "good-enough" };
    expect(sent).toEqual([typed, { ...typed, code: "000000" }, { ...typed, code: "123456" }]);
  });

  it("sends the verification mail again where somebody waits for it", async () => {
    const resent: unknown[] = [];
    const waits = "Kindly click on the email verification link sent to your email.";
    network.use(
      http.post(`${origin}/api/Account/GetToken`, () => no(403, waits, "FORBIDDEN")),
      http.post(`${origin}/api/v1/account/resend-verification`, async ({ request }) => {
        resent.push(await request.json());
        return yes();
      }),
    );
    show(<Login />, "/login");
    await fill();
    expect(await screen.findByText(waits)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Send it again" }));
    await screen.findByText(/a new mail is on its way/);
    expect(resent).toEqual([{ email: "ada@example.com" }]);
  });

  it("asks for no code of those who have none, and says the server's sentence", async () => {
    network.use(
      http.post(`${origin}/api/Account/GetToken`, () => no(400, "Email or password is not right.", "CREDENTIALS")),
    );
    show(<Login />, "/login");
    await fill();
    expect(await screen.findByText("Email or password is not right.")).toBeTruthy();
    expect(screen.queryByLabelText(/Code from/)).toBeNull();
  });

  it("says so when there were too many tries, and when nothing answered", async () => {
    network.use(
      http.post(
        `${origin}/api/Account/GetToken`,
        () => no(429, "Too many tries. Try again in 2 minutes.", "TOO_MANY"),
        {
          once: true,
        },
      ),
      http.post(`${origin}/api/Account/GetToken`, () => Response.error()),
    );
    show(<Login />, "/login");
    await fill();
    expect(await screen.findByText("Too many tries. Try again in 2 minutes.")).toBeTruthy();
    await submit();
    expect(await screen.findByText("Unable to login at the moment, please try again later")).toBeTruthy();
  });

  it("leads to a new password, and has the address filled in for who comes from the verification", () => {
    show(<Login />, { pathname: "/login", state: { email: "bola@example.com" } });
    expect(email().value).toBe("bola@example.com");
    const forgotten = screen.getByRole("link", { name: "Forgotten your password?" });
    expect(forgotten.getAttribute("href")).toBe("/send_forgot_password_mail");
  });

  it.each([
    ["password", /Your password is changed and you are logged out everywhere/],
    ["email", /Your email address is changed/],
    ["closed", /Your account is closed/],
  ] as const)("says why one is here after a change: %s", (ended, words) => {
    useStore.setState({ ended });
    show(<Login />, "/login");
    expect(screen.getByText(words)).toBeTruthy();
  });
});
