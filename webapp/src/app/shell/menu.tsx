import type { ReactNode } from "react";
import { shellTexts } from "@/lib/texts/common";
import { ActivityIcon, BankIcon, CorporateIcon, DashboardIcon, GroupIcon, ProfileIcon, WalletIcon } from "@/ui/icons";
import { paths } from "../paths";

export interface MenuItem {
  label: string;
  caption: string;
  path: string;
  icon: ReactNode;
  disabled?: boolean;
}

const { items } = shellTexts;

/** Ajo Groups joins the menu with its screens. */
export const menu: MenuItem[] = [
  { ...items.dashboard, path: paths.dashboard, icon: <DashboardIcon /> },
  { ...items.wallet, path: paths.wallet, icon: <WalletIcon /> },
  { ...items.activity, path: paths.activity, icon: <ActivityIcon /> },
  { ...items.savings, path: paths.savings, icon: <GroupIcon /> },
  { ...items.corporate, path: "/dashboard/corporate-account", icon: <CorporateIcon />, disabled: true },
  { ...items.profile, path: paths.profile, icon: <ProfileIcon /> },
];

/** For Adashi's own staff. */
export const staffMenu: MenuItem[] = [...menu, { ...items.operator, path: paths.operator, icon: <BankIcon /> }];
