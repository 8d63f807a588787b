import { paths } from "./paths";

/** What an invitation link is for: a group or an ajo, and the code that opens it. */
export interface InvitationPlace {
  savingsId?: string;
  ajoId?: string;
  invitationCode?: string;
}

/** The invitation that the address of a join screen is for; nothing for any other address. */
export function invitationAt(address = ""): InvitationPlace | undefined {
  const [path = "", query] = address.split("?");
  const invitationCode = new URLSearchParams(query).get("code") ?? "";
  const of = (join: (id: string) => string) => {
    const before = join("");
    return path.startsWith(before) ? decodeURIComponent(path.slice(before.length)).replace(/\/+$/, "") : "";
  };
  const savingsId = of((id) => paths.joinGroup(id, "").replace(/\?.*/, ""));
  if (savingsId) return { savingsId, invitationCode };
  const ajoId = of(paths.joinAjo);
  return ajoId ? { ajoId, invitationCode } : undefined;
}

/** The join screen of an invitation; nothing where there is none. */
export function invitationPath({ savingsId, ajoId, invitationCode = "" }: InvitationPlace): string | undefined {
  if (savingsId) return paths.joinGroup(savingsId, invitationCode);
  return ajoId ? paths.joinAjo(ajoId, invitationCode) : undefined;
}
