import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import { Sums } from "@/features/ajo/home/parts/Terms";
import { AjoGroups } from "@/features/ajo/home/screens/AjoGroups";
import { CreateAjo } from "@/features/ajo/home/screens/CreateAjo";
import { JoinAjo } from "@/features/ajo/home/screens/JoinAjo";
import { commitmentOf, earlierCommitmentOf } from "@/lib/draw/hashes";
import { keptSecret } from "@/lib/draw/secrets";
import { ajo, invitation, preview, row } from "../kit/ajo";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const place = () => screen.getByTestId("place").textContent;

describe("the ajo that take members", () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    row({ id: `a${at}`, name: `Ajo ${at}`, isMember: at === 0, description: `About ${at}` }),
  );
  const list = (rows = many) => {
    signIn();
    network.use(http.get(`${origin}/api/Ajo/GetAvailableAjoGroups`, () => yes(rows)));
    show(<AjoGroups />, "/ajo/groups/all");
  };

  it("are cards: a member comes in, others to the terms; a search finds by name", async () => {
    list();
    const mine = await screen.findByRole("link", { name: /^Ajo 0 ?Taking/ });
    expect(mine.getAttribute("href")).toBe("/ajo/a0");
    const other = screen.getByRole("link", { name: /^Ajo 1 ?Taking/ });
    expect(other.getAttribute("href")).toBe("/ajo/join-group/a1");
    await userEvent.type(screen.getByLabelText("Search ajo groups"), "ÀJÓ 11");
    await screen.findByText("1 ajo");
    expect(screen.queryByRole("link", { name: /^Ajo 0 ?Taking/ })).toBeNull();
  });

  it("stand in the drawer, ten of them, and only a member's can be opened", async () => {
    list();
    await click("Start an ajo");
    const drawer = within(await screen.findByRole("dialog", { name: "Start an ajo" }));
    expect(drawer.getByRole("link", { name: /^Group Ajo/ }).getAttribute("href")).toBe("/ajo/group");
    expect(drawer.getByRole("link", { name: /^Individual Ajo/ }).getAttribute("href")).toBe(
      "/ajo/group?type=individual",
    );
    expect(drawer.getByText("AJO GROUPS")).toBeTruthy();
    expect(await drawer.findAllByRole("listitem")).toHaveLength(10);
    expect(drawer.getByRole("link", { name: "View Ajo 0" }).getAttribute("href")).toBe("/ajo/a0");
    expect(drawer.getByText("About 0")).toBeTruthy();
    expect(drawer.queryByText("About 1")).toBeNull();
    expect(drawer.getByText("Ajo 1").closest("a")).toBeNull();
    expect(drawer.getByRole("link", { name: "See all" }).getAttribute("href")).toBe("/ajo/groups/all");
  });

  it("are none: the drawer says so", async () => {
    list([]);
    await screen.findByText("No available ajo group");
    await userEvent.click(await screen.findByRole("button", { name: "Start an ajo" }));
    await within(await screen.findByRole("dialog")).findByText("No available ajo group");
  });
});

describe("a new ajo", () => {
  const start = () => {
    const sent = { previews: [] as Record<string, unknown>[], created: [] as Record<string, unknown>[] };
    signIn();
    network.use(
      http.post(`${origin}/api/v1/ajo/preview`, async ({ request }) => {
        sent.previews.push((await request.json()) as Record<string, unknown>);
        return yes(preview);
      }),
      http.post(`${origin}/api/Ajo/CreateExistingGroupAjo`, async ({ request }) => {
        sent.created.push((await request.json()) as Record<string, unknown>);
        if (sent.created.length === 1) return no(422, "Between 2 and 12 seats.", "INVALID", "memberCapacity");
        return yes(ajo());
      }),
    );
    show(<CreateAjo />, "/ajo/group");
    return sent;
  };

  it("is asked for in three steps, and a refusal comes to the step that asks for its field", async () => {
    const sent = start();
    await userEvent.type(screen.getByLabelText("Name of the ajo"), "Market women");
    await userEvent.type(screen.getByLabelText("Each hand pays each time"), "10,000.01");
    await click("Continue");
    await screen.findByText("₦10,000.01 cannot be halved to the kobo. Choose an even amount.");
    await userEvent.clear(screen.getByLabelText("Each hand pays each time"));
    await userEvent.type(screen.getByLabelText("Each hand pays each time"), "10,000");
    await click("Continue");
    await screen.findByRole("heading", { name: "The order" });
    const radios = (legend: string) => within(screen.getByRole("group", { name: legend })).getAllByRole("radio");
    expect(radios("Who collects when?")).toHaveLength(5);
    expect(radios("Where does the draw's chance come from?")).toHaveLength(2);
    await userEvent.click(screen.getByRole("radio", { name: /^By need/ }));
    await click("Continue");
    await screen.findByRole("heading", { name: "The rules" });
    await waitFor(() => expect(document.querySelector('[data-preview] [data-naira="₦50,000.00"]')).toBeTruthy());
    await userEvent.click(screen.getByRole("radio", { name: /^Half a hand/ }));
    await click("Show the calendar and the cost of each turn");
    expect(screen.getByText("5 Jan 2027")).toBeTruthy();
    await click("Create the ajo");
    await screen.findByText("Between 2 and 12 seats.");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("The money");
    await click("Continue");
    await click("Continue");
    await click("Create the ajo");
    await waitFor(() => expect(place()).toBe("/ajo/group/invite?ajoId=a1"));
    expect(sent.previews[0]).toMatchObject({ amount: 10_000, duration: 5, order: "NEED", draw: "BEACON" });
    const { nonce, ...created } = sent.created[1] as { nonce: string };
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(created).toMatchObject({
      name: "Market women",
      type: "GROUP",
      amount: 10_000,
      duration: 5,
      memberCapacity: 5,
      order: "NEED",
      hands: "0.5",
      deposit: 0,
      listed: false,
      email: ada.email,
    });
    expect(created).not.toHaveProperty("existing");
  });

  it("asks for a deposit where strangers may join, and brings past cycles along", async () => {
    const sent = start();
    await userEvent.type(screen.getByLabelText("Name of the ajo"), "Market women");
    await userEvent.type(screen.getByLabelText("Each hand pays each time"), "10,000");
    await click("Continue");
    await click("Continue");
    await userEvent.click(await screen.findByRole("radio", { name: /^Listed/ }));
    expect(screen.queryByRole("radio", { name: /^None/ })).toBeNull();
    expect((screen.getByRole("radio", { name: /^One contribution/ }) as HTMLInputElement).checked).toBe(true);
    await userEvent.click(screen.getByLabelText("It runs already"));
    await userEvent.selectOptions(await screen.findByLabelText("Who collected cycle 1?"), "Seat 3");
    await click("Create the ajo");
    await waitFor(() => expect(sent.created).toHaveLength(1));
    expect(sent.created[0]).toMatchObject({
      deposit: 1,
      listed: true,
      existing: [{ cycle: 1, seat: 3, paid: [1, 2, 3, 4, 5] }],
    });
  });
});

describe("what terms come to", () => {
  it.each([
    ["said", preview, true],
    ["left out of an ajo that is too short for it", { ...preview, monthly: undefined }, false],
  ])("a month's average is %s", (_, told, says) => {
    show(<Sums preview={told} />);
    screen.getByText("One hand pays in all");
    expect(screen.queryByText("A month, on average") !== null).toBe(says);
  });
});

describe("an invitation to an ajo", () => {
  const open = (more: Parameters<typeof invitation>[0] = {}, join = () => yes(ajo())) => {
    const sent: Record<string, unknown>[] = [];
    network.use(
      http.get(`${origin}/api/Ajo/GetAjoDataById/a1`, ({ request }) =>
        new URL(request.url).searchParams.get("code") === "secret" ? yes(invitation(more)) : no(404, "No."),
      ),
      http.post(`${origin}/api/Ajo/JoinAjoGroup`, async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return join();
      }),
    );
    return sent;
  };
  const at = (path = "/ajo/join-group/a1?code=secret") =>
    show(
      <Routes>
        <Route path="/ajo/join-group/:groupId" element={<JoinAjo />} />
      </Routes>,
      path,
    );

  it("says logged out what it is, and asks to log in", async () => {
    open();
    at();
    await screen.findByRole("heading", { level: 1, name: "Market women" });
    expect(screen.getByText("₦10,000.00 a month, 5 times")).toBeTruthy();
    expect(
      screen.getByText(/within 5 days after it is due, it is owed to the person whose turn it is, plus 5% once/),
    ).toBeTruthy();
    expect(screen.getByText(/Once, between 5 Jan 2027 and 5 May 2027/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Log in to join" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Join the ajo" })).toBeNull();
  });

  it("is joined with half a hand, once the terms are accepted", async () => {
    signIn();
    const sent = open();
    at();
    await click("Join the ajo");
    await screen.findByText("Read the terms and accept them first.");
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole("radio", { name: /^Half a hand/ }));
    await userEvent.click(screen.getByLabelText("I have read the terms and accept them."));
    await click("Join the ajo");
    await screen.findByText("Congratulations, you have successfully joined the group.");
    expect((await screen.findByRole("link", { name: "Open the ajo" })).getAttribute("href")).toBe("/ajo/a1");
    const { nonce, ...body } = sent[0] as { nonce: string };
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toEqual({
      ajoId: "a1",
      code: "secret",
      hands: "0.5",
      termsHash: preview.termsHash,
      email: ada.email,
    });
  });

  it("offers no more hands than the terms and the list leave free", async () => {
    signIn();
    open({ maxHands: "4", freeHalves: 1, freeSeats: [{ seat: 5, halves: 1 }] });
    at();
    await screen.findByRole("radio", { name: /^Half a hand/ });
    expect(screen.getAllByRole("radio")).toHaveLength(1);
  });

  it("marks hands that have collected, and seats nobody on one unasked", async () => {
    signIn();
    const sent = open({
      past: [{ cycle: 1, seat: 4, paid: [1, 2, 3, 4, 5] }],
      freeHalves: 4,
      freeSeats: [
        { seat: 4, halves: 2, collectedIn: 1 },
        { seat: 5, halves: 2 },
      ],
    });
    at();
    const any = (await screen.findByRole("radio", { name: /^A hand that collects/ })) as HTMLInputElement;
    expect(any.checked).toBe(true);
    await userEvent.click(screen.getByRole("radio", { name: /^Seat 4, which collected in cycle 1.*collect nothing/ }));
    expect(screen.getByRole("radio", { name: "1 hand You pay ₦10,000.00 each time." })).toBeTruthy();
    expect(screen.queryByText(/collect one pot/)).toBeNull();
    await userEvent.click(screen.getByLabelText("I have read the terms and accept them."));
    await click("Join the ajo");
    await screen.findByText("Congratulations, you have successfully joined the group.");
    expect(sent[0]).toMatchObject({ seat: 4, hands: "1" });
  });

  it("asks which hand where only those are free that have collected", async () => {
    signIn();
    const sent = open({ freeHalves: 2, freeSeats: [{ seat: 4, halves: 2, collectedIn: 1 }] });
    at();
    await userEvent.click(await screen.findByLabelText("I have read the terms and accept them."));
    await click("Join the ajo");
    await screen.findByText("Choose which hand you take first.");
    expect(sent).toEqual([]);
  });

  it("commits this device's secret where phones draw, the same one again", async () => {
    signIn();
    const sent = open({ draw: "PHONES" }, () => no(409, "The terms have changed since you read them.", "CONFLICT"));
    at();
    await userEvent.click(await screen.findByLabelText("I have read the terms and accept them."));
    await click("Join the ajo");
    await screen.findByText("The terms have changed since you read them.");
    await click("Join the ajo");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]?.commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(sent[1]?.commitment).toBe(sent[0]?.commitment);
    const secret = keptSecret("a1", ada.id) ?? "";
    const made = Buffer.from(await commitmentOf("a1", String(sent[0]?.nonce), secret)).toString("hex");
    expect(sent[0]).toMatchObject({ commitment: made, commitmentVersion: 2 });
    expect(localStorage.getItem("adashi-ajo-secret:a1")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("commits to the user's id where phones of an earlier build joined before", async () => {
    signIn();
    const sent = open({ draw: "PHONES", commitmentVersion: 1 });
    at();
    await userEvent.click(await screen.findByLabelText("I have read the terms and accept them."));
    await click("Join the ajo");
    await waitFor(() => expect(sent).toHaveLength(1));
    const made = await earlierCommitmentOf("a1", ada.id, keptSecret("a1", ada.id) ?? "");
    expect(sent[0]).toMatchObject({ commitment: Buffer.from(made).toString("hex"), commitmentVersion: 1 });
  });

  it("of which the code is wrong does not work", async () => {
    open();
    at("/ajo/join-group/a1?code=guessed");
    await screen.findByRole("heading", { name: "This invitation does not work" });
  });
});
