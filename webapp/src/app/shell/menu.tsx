import type { ReactNode } from "react";
import { paths } from "@/lib/paths";
import { isFinance, isStaff, isSupport } from "@/lib/staff";
import {
  ActivityIcon,
  BankIcon,
  CorporateIcon,
  DashboardIcon,
  GroupIcon,
  HelpIcon,
  LedgerIcon,
  ProfileIcon,
  RotateIcon,
  WalletIcon,
} from "@/ui/icons";
import { shellTexts } from "./texts";

export interface MenuItem {
  label: string;
  caption: string;
  path: string;
  icon: ReactNode;
  disabled?: boolean;
}

const { items } = shellTexts;

const menu: MenuItem[] = [
  { ...items.dashboard, path: paths.dashboard, icon: <DashboardIcon /> },
  { ...items.wallet, path: paths.wallet, icon: <WalletIcon /> },
  { ...items.activity, path: paths.activity, icon: <ActivityIcon /> },
  { ...items.savings, path: paths.savings, icon: <GroupIcon /> },
  { ...items.ajo, path: paths.ajoGroups, icon: <RotateIcon /> },
  { ...items.corporate, path: "/dashboard/corporate-account", icon: <CorporateIcon />, disabled: true },
  { ...items.profile, path: paths.profile, icon: <ProfileIcon /> },
];

const operator: MenuItem = { ...items.operator, path: paths.operator, icon: <LedgerIcon /> };
const finance: MenuItem = { ...items.finance, path: paths.finance(), icon: <BankIcon /> };

const support: MenuItem = { ...items.support, path: paths.support(), icon: <HelpIcon /> };

/** The menu of one with these roles: Adashi's own staff have entries of their own. */
export function menuOf(roles: string[] | undefined): MenuItem[] {
  const desks: [boolean, MenuItem][] = [
    [isFinance(roles), finance],
    [isSupport(roles), support],
    [isStaff(roles), operator],
  ];
  return [...menu, ...desks.flatMap(([theirs, desk]) => (theirs ? [desk] : []))];
}
