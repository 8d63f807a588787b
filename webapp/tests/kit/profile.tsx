import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import type { Account } from "@/api/schema.gen";
import { EditProfile } from "@/features/people/profile/screens/EditProfile";
import { account, ada, origin, show, signIn, yes } from "./help";
import { network } from "./network";

/** The account as the server has it, and what was sent to it. */
export const kept: { mine: Account; saved: Record<string, unknown>[] } = { mine: account, saved: [] };

const banks = [
  { code: "044", name: "Access Bank", nipCode: "000014" },
  { code: "058", name: "GTBank", nipCode: "000013" },
  { code: "057", name: "Zenith Bank", nipCode: "000015" },
];

/** Ada at her profile, before each test. */
export function atProfile() {
  kept.mine = account;
  kept.saved = [];
  signIn();
  network.use(
    http.get(`${origin}/api/Account/GetUserInfoById/${ada.id}`, () => yes(kept.mine)),
    http.get(`${origin}/api/v1/ajo/access`, () =>
      yes({ status: "NONE", hasAccess: false, checklist: [], mayAsk: false }),
    ),
    http.get(`${origin}/api/Utility/GetGenders`, () => yes([{ id: "female", name: "Female" }])),
    http.get(`${origin}/api/Utility/GetStates`, () => yes([{ id: "lagos", name: "Lagos" }])),
    http.get(`${origin}/api/Payment/getbanks`, () => yes(banks)),
    http.post(`${origin}/api/Account/UpdateUserInfo`, async ({ request }) => {
      const change = (await request.json()) as Record<string, unknown>;
      kept.saved.push(change);
      kept.mine = { ...kept.mine, ...change } as Account;
      return yes(kept.mine, "Saved.");
    }),
  );
}

export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
export const click = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
export const section = (title: string) => within(screen.getByRole("region", { name: title }));
export const saveIn = (title: string) => userEvent.click(section(title).getByRole("button", { name: "Save" }));

export async function edit(own: Partial<Account> = {}) {
  kept.mine = { ...account, ...own };
  show(<EditProfile />, "/dashboard/profile/edit");
  await screen.findByRole("heading", { name: "Personal" });
}

export async function chooseBank(typed: string) {
  await userEvent.type(field("Bank"), typed);
  await userEvent.keyboard("{Enter}");
}
