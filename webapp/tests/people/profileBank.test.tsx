import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { useStore } from "@/store/store";
import { ada, faultOf, no, origin, yes } from "../kit/help";
import { network } from "../kit/network";
import { atProfile, chooseBank, click, edit, field, kept } from "../kit/profile";

beforeEach(atProfile);

describe("the bank account", () => {
  it("shows whose it is before it can be saved", async () => {
    const asked: unknown[] = [];
    network.use(
      http.post(`${origin}/api/v1/payment/name-enquiry`, async ({ request }) => {
        asked.push(await request.json());
        return yes({ accountName: "ADA OBI", bankName: "GTBank" });
      }),
    );
    await edit();
    await chooseBank("gt");
    expect(field("Bank").value).toBe("GTBank");
    await userEvent.type(field("Account number"), "012345678");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save this account" }).disabled).toBe(true);
    expect(asked).toEqual([]);
    await userEvent.type(field("Account number"), "9");
    expect(await screen.findByText("ADA OBI")).toBeTruthy();
    expect(asked).toEqual([{ account_number: "0123456789", bank_code: "058" }]);
    expect(kept.saved).toEqual([]);
    await click("Save this account");
    await waitFor(() =>
      expect(kept.saved).toEqual([{ email: ada.email, bankCode: "058", bankAccountNumber: "0123456789" }]),
    );
  });

  it("says why the bank knows no such account, and asks again", async () => {
    network.use(
      http.post(`${origin}/api/v1/payment/name-enquiry`, () => no(404, "No such account.", "NOT_FOUND"), {
        once: true,
      }),
      http.post(`${origin}/api/v1/payment/name-enquiry`, () => yes({ accountName: "ADA OBI", bankName: "GTBank" })),
    );
    await edit();
    await chooseBank("gt");
    await userEvent.type(field("Account number"), "0123456789");
    expect(await screen.findByText("No such account.")).toBeTruthy();
    await click("Ask again");
    expect(await screen.findByText("ADA OBI")).toBeTruthy();
  });

  it("is chosen from the list by keyboard alone; what is not in it is not taken", async () => {
    await edit();
    const bank = field("Bank");
    await userEvent.type(bank, "nowhere");
    expect(screen.getByText("No bank of this name.")).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(bank.value).toBe("");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    const at = bank.getAttribute("aria-activedescendant") ?? "";
    expect(document.getElementById(at)?.textContent).toBe("Zenith Bank");
    await userEvent.keyboard("{Enter}");
    expect([bank.value, bank.getAttribute("aria-expanded")]).toEqual(["Zenith Bank", "false"]);
  });
});

describe("the BVN", () => {
  const withBank = { bankAccountNumber: "0123456789", bankCode: "058", bankName: "GTBank" };
  const bvn = () => field("BVN");
  const verify = async (number = "22222222222") => {
    await userEvent.type(bvn(), number);
    await click("Verify BVN");
  };

  it("waits for ten digits, then for a bank, then for the account to be saved", async () => {
    await edit();
    await userEvent.type(field("Account number"), "123456789");
    await verify();
    expect(faultOf(field("Account number"))).toBe(
      "Please enter a valid 10-digit bank account number before BVN verification",
    );
    await userEvent.type(field("Account number"), "0");
    expect(faultOf(field("Account number"))).toBe("");
    await click("Verify BVN");
    expect(faultOf(field("Bank"))).toBe("Please select your bank before BVN verification");
    network.use(
      http.post(`${origin}/api/v1/payment/name-enquiry`, () => yes({ accountName: "ADA OBI", bankName: "GTBank" })),
    );
    await chooseBank("gt");
    await click("Verify BVN");
    expect(faultOf(field("Account number"))).toBe("Save this account first, then verify your BVN.");
  });

  it.each(["2222222222", "222222222222", "2222222222x"])("of %s is not sent", async (number) => {
    await edit(withBank);
    await verify(number);
    expect(faultOf(bvn())).toBe("A BVN has 11 digits and nothing else.");
  });

  it("is verified with the account's own name, and the profile is read again", async () => {
    const sent: unknown[] = [];
    network.use(
      http.post(`${origin}/api/Payment/bvn-look-up`, async ({ request }) => {
        sent.push(await request.json());
        kept.mine = { ...kept.mine, bvnVerified: true, bvnStatus: "VERIFIED", bvn: "•••••••••22" };
        return yes({ status: "VERIFIED", last2: "22" });
      }),
    );
    await edit(withBank);
    await verify();
    expect(await screen.findByText("Your BVN has been verified successfully")).toBeTruthy();
    expect(await screen.findByText("•••••••••22")).toBeTruthy();
    expect(sent).toEqual([
      { account_number: "0123456789", bank_code: "058", first_name: "Ada", last_name: "Obi", bvn: "22222222222" },
    ]);
    expect(screen.queryByRole("button", { name: "Verify BVN" })).toBeNull();
  });

  it("that does not match says so and why, and may be typed again", async () => {
    network.use(
      http.post(`${origin}/api/Payment/bvn-look-up`, () => {
        kept.mine = { ...kept.mine, bvnStatus: "FAILED" };
        return yes({ status: "FAILED", reason: "The name is another one." });
      }),
    );
    await edit(withBank);
    await verify();
    expect((await screen.findAllByText("BVN could not be verified. Please try again later")).length).toBeGreaterThan(0);
    expect(screen.getByText("The name is another one.")).toBeTruthy();
    expect(bvn().value).toBe("");
  });

  it("that the server refuses as not matched is told and stands the same way", async () => {
    network.use(
      http.post(`${origin}/api/Payment/bvn-look-up`, () => {
        kept.mine = { ...kept.mine, bvnStatus: "FAILED" };
        return no(400, "BVN could not be verified. Please try again later", "INVALID", "bvn");
      }),
    );
    await edit(withBank);
    await verify();
    expect(await screen.findByText("Not matched")).toBeTruthy();
    expect(screen.getAllByText("BVN could not be verified. Please try again later").length).toBeGreaterThan(0);
    expect(bvn()).toBeTruthy();
  });

  it("that is being checked is followed by itself", async () => {
    network.use(
      http.post(`${origin}/api/Payment/bvn-look-up`, () => {
        kept.mine = { ...kept.mine, bvnStatus: "PENDING" };
        return yes({ status: "PENDING" });
      }),
      http.get(`${origin}/api/v1/notifications/unread`, () => yes({ unread: 0 })),
    );
    await edit(withBank);
    await verify();
    expect(await screen.findByText("Being checked")).toBeTruthy();
    kept.mine = { ...kept.mine, bvnVerified: true, bvnStatus: "VERIFIED", bvn: "•••••••••22" };
    act(() => useStore.getState().refreshTopics(["notifications"]));
    expect(await screen.findByText("•••••••••22")).toBeTruthy();
  });

  it("that cannot be looked up says the action's sentence", async () => {
    network.use(http.post(`${origin}/api/Payment/bvn-look-up`, () => HttpResponse.error()));
    await edit(withBank);
    await verify();
    expect(await screen.findByText("Unable to verify bvn at the moment, please try again later")).toBeTruthy();
    expect(bvn().value).toBe("22222222222");
  });
});
