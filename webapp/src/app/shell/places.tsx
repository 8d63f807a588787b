import type { ReactNode } from "react";
import { paths, samePlace } from "@/lib/paths";
import { ActivityIcon, DashboardIcon, GroupIcon, RotateIcon, WalletIcon } from "@/ui/icons";
import { menuOf } from "./menu";
import { shellTexts } from "./texts";

export interface Place {
  label: string;
  path: string;
  icon: ReactNode;
  /** The addresses that belong to it. */
  under: RegExp;
}

const { places: names } = shellTexts;

/** The five places of the bottom bar. */
export const places: Place[] = [
  { label: names.home, path: paths.dashboard, icon: <DashboardIcon />, under: /^\/dashboard\/?$/ },
  { label: names.groups, path: paths.savings, icon: <GroupIcon />, under: /^\/(savings|dashboard\/sub-account)\b/ },
  { label: names.ajo, path: paths.ajoGroups, icon: <RotateIcon />, under: /^\/(ajo|dashboard\/ajo)\b/ },
  { label: names.wallet, path: paths.wallet, icon: <WalletIcon />, under: /^\/dashboard\/(wallet|reserves)\b/ },
  { label: names.activity, path: paths.activity, icon: <ActivityIcon />, under: /^\/dashboard\/activity\b/ },
];

export const placeOf = (pathname: string) => places.find(({ under }) => under.test(pathname));

const profile = () => paths.profile;

/** The first address that fits says what is one level up. */
const ups: [below: RegExp, up: (id: string) => string][] = [
  [/^\/savings\/(?!(?:sub-account|group|user)\/)([^/]+)\/./, paths.group],
  [/^\/savings\/.|^\/dashboard\/sub-account/, () => paths.savings],
  [/^\/ajo\/cards\/./, () => paths.ajoCards],
  [/^\/ajo\/draw\/([^/]+)/, paths.ajo],
  [/^\/ajo\/(?!(?:group|user|cards)\/)([^/]+)\/./, paths.ajo],
  [/^\/ajo\/|^\/dashboard\/ajo/, () => paths.ajoGroups],
  [/^\/dashboard\/wallet\/withdrawals\//, () => paths.withdraw],
  [/^\/dashboard\/(?:wallet\/.|reserves)/, () => paths.wallet],
  [/^\/dashboard\/activity\/./, () => paths.activity],
  [/^\/dashboard\/profile\/./, profile],
  [/^\/(?:dashboard\/security|change_password)/, profile],
  [/^\/disputes\/./, () => paths.disputes],
  [/^\/support\/./, () => paths.support()],
];

/** The address one level up from a screen; none where the menu itself leads to the screen. */
export function above(pathname: string, roles: string[] | undefined): string | undefined {
  if (menuOf(roles).some(({ path }) => samePlace(path.replace(/\?.*/, ""), pathname))) return undefined;
  for (const [below, up] of ups) {
    const found = below.exec(pathname);
    if (found) return up(decodeURIComponent(found[1] ?? ""));
  }
  return paths.dashboard;
}
