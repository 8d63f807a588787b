import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, it } from "vitest";
import { NewSubAccount } from "@/features/groups/subAccounts/parts/NewSubAccount";
import { parsePercent, penaltyOf } from "@/lib/penalty";
import { ada, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

describe("a penalty", () => {
  it.each([
    ["FLAT", 500_000, 50_000, 0, 50_000],
    ["PERCENT", 500_000, 0, 250, 12_500],
    // Half a kobo goes to the even one: 0.5 to 0, 1.5 to 2, 2.5 to 2.
    ["PERCENT", 50, 0, 100, 0],
    ["PERCENT", 150, 0, 100, 2],
    ["PERCENT", 250, 0, 100, 2],
    ["PERCENT", 251, 0, 100, 3],
    ["PERCENT_CAPPED", 500_000, 10_000, 5000, 10_000],
    ["PERCENT_CAPPED", 500_000, 900_000, 5000, 250_000],
    ["PERCENT", 10_000_000_000_001, 0, 5000, 5_000_000_000_000],
  ] as const)("%s of %i kobo (%i, %i) is %5$i", (type, due, amount, basisPoints, kobo) => {
    expect(penaltyOf(due, { type, amount, basisPoints })).toBe(kobo);
  });

  it.each([
    ["2.5", 250],
    ["50", 5000],
    ["50.01", undefined],
    ["0", undefined],
    ["0.01", 1],
    ["2.555", undefined],
    ["-1", undefined],
    ["7 %", 700],
  ])("reads %s as %s", (text, basisPoints) => expect(parsePercent(text)).toBe(basisPoints));
});

describe("a new sub-account", () => {
  async function form() {
    signIn();
    const sent: unknown[] = [];
    network.use(
      http.post(`${origin}/api/GroupSavings/CreateSubAccount`, async ({ request }) => {
        sent.push(await request.json());
        return yes({ id: "s1" }, "Created.");
      }),
    );
    show(<NewSubAccount groupId="g1" />);
    await userEvent.click(screen.getByRole("button", { name: "New sub-account" }));
    const dialog = within(await screen.findByRole("dialog", { name: "New sub-account" }));
    await userEvent.type(dialog.getByLabelText("Name"), "Monthly dues");
    await userEvent.type(dialog.getByLabelText("Amount"), "5,000");
    const submit = () => userEvent.click(dialog.getByRole("button", { name: "Create sub-account" }));
    return { dialog, sent, submit };
  }
  const plain = {
    groupSavingsId: "g1",
    name: "Monthly dues",
    description: "",
    paymentType: "FIXED",
    paymentFrequency: "MONTHLY",
    amountPayable: 5000,
    showTotalToMembers: true,
    userId: ada.id,
  };

  it("costs nothing late unless that is said", async () => {
    const { sent, submit } = await form();
    await submit();
    await waitFor(() => expect(sent).toEqual([plain]));
  });

  it("shows in naira what its late terms come to, and sends them", async () => {
    const { dialog, sent, submit } = await form();
    await userEvent.click(dialog.getByRole("radio", { name: /A part of the due, up to an amount/ }));
    await userEvent.type(dialog.getByLabelText("Percent of the due"), "60");
    await submit();
    await dialog.findByText("Enter a percentage above 0 and at most 50, like 2.5.");
    expect(sent).toEqual([]);
    await userEvent.clear(dialog.getByLabelText("Percent of the due"));
    await userEvent.type(dialog.getByLabelText("Percent of the due"), "7.5");
    await userEvent.type(dialog.getByLabelText("Never more than"), "300");
    await dialog.findByText(
      /Whoever has not paid ₦5,000.00 within 3 days after it is due owes ₦300.00 more: ₦5,300.00/,
    );
    await submit();
    await waitFor(() =>
      expect(sent).toEqual([
        { ...plain, graceDays: 3, penaltyType: "PERCENT_CAPPED", penaltyPercent: 7.5, penaltyAmount: 300 },
      ]),
    );
  });

  it("that is flexible can't be late", async () => {
    const { dialog, sent, submit } = await form();
    await userEvent.click(dialog.getByRole("radio", { name: /A fixed amount/ }));
    await userEvent.type(dialog.getByLabelText("The penalty"), "300");
    await userEvent.click(dialog.getByRole("radio", { name: /Flexible/ }));
    expect(dialog.queryByLabelText("The penalty")).toBeNull();
    await submit();
    await waitFor(() => expect(sent).toEqual([{ ...plain, paymentType: "FLEXIBLE" }]));
  });
});
