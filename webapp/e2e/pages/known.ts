import type { Caller } from "./caller";

const GTB = "058";

interface AtTheBank {
  first: string;
  last: string;
  account: string;
  bvn: string;
}

/** Opens an account at the sandbox bank under somebody's name, and has it and their BVN verified. */
export async function known(caller: Caller, { first, last, account, bvn }: AtTheBank) {
  const fields = { first_name: first, last_name: last, bank: GTB, account, bvn };
  await fetch(`${caller.url}/sandbox/people`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  await caller.do("POST", "/api/Account/UpdateUserInfo", {
    email: caller.login.email,
    bankAccountNumber: account,
    bankCode: GTB,
  });
  await caller.do("POST", "/api/Payment/bvn-look-up", {
    account_number: account,
    bank_code: GTB,
    first_name: first,
    last_name: last,
    bvn,
  });
}
