import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";

interface IconProps {
  size?: string;
}

const Frame = ({ size = "1.25em", children }: IconProps & { children: ReactNode }) => (
  <chakra.svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </chakra.svg>
);

const icon = (drawing: ReactNode) =>
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of this file alone, once for each icon
  function Icon({ size }: IconProps) {
    return <Frame size={size}>{drawing}</Frame>;
  };

export const DashboardIcon = icon(
  <>
    <rect x="3.5" y="3.5" width="7" height="9" rx="2" />
    <rect x="13.5" y="3.5" width="7" height="5" rx="2" />
    <rect x="13.5" y="11.5" width="7" height="9" rx="2" />
    <rect x="3.5" y="15.5" width="7" height="5" rx="2" />
  </>,
);
export const WalletIcon = icon(
  <>
    <path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H17a2 2 0 0 1 2 2v1" />
    <path d="M4 7.500v9A2.5 2.5 0 0 0 6.5 19H18a2.5 2.5 0 0 0 2.5-2.500v-6A2.5 2.5 0 0 0 18 8H4.5" />
    <circle cx="16.5" cy="13.5" r="1.1" fill="currentColor" stroke="none" />
  </>,
);
export const ActivityIcon = icon(
  <>
    <path d="M4 7h11" />
    <path d="m12 4 3 3-3 3" />
    <path d="M20 17H9" />
    <path d="m12 14-3 3 3 3" />
  </>,
);
export const GroupIcon = icon(
  <>
    <circle cx="9" cy="8.5" r="3.2" />
    <path d="M3.5 19c.4-3.2 2.6-5 5.5-5s5.1 1.8 5.5 5" />
    <path d="M15.5 5.600a3.2 3.2 0 0 1 0 5.800M17 14.300c2 .6 3.2 2.2 3.5 4.7" />
  </>,
);
export const RotateIcon = icon(
  <>
    <path d="M19.500 12a7.500 7.500 0 0 1-13.200 4.900M4.500 12a7.500 7.500 0 0 1 13.200-4.900" />
    <path d="M18.300 3.500v4h-4M5.700 20.500v-4h4" />
  </>,
);
export const CorporateIcon = icon(
  <>
    <path d="M5 20V6a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v14" />
    <path d="M16 10h2a1.5 1.5 0 0 1 1.5 1.500V20M3.5 20h17M9 8h3M9 12h3M9 16h3" />
  </>,
);
export const ProfileIcon = icon(
  <>
    <circle cx="12" cy="8" r="3.7" />
    <path d="M4.8 20c.7-3.7 3.5-5.7 7.2-5.700s6.5 2 7.2 5.7" />
  </>,
);
export const BellIcon = icon(
  <>
    <path d="M6 10a6 6 0 0 1 12 0c0 4.5 2 5.8 2 6.800H4c0-1 2-2.3 2-6.800Z" />
    <path d="M10 20a2.2 2.2 0 0 0 4 0" />
  </>,
);
export const SearchIcon = icon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CloseIcon = icon(<path d="M6 6l12 12M18 6 6 18" />);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.500L19 7.5" />);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2.5" />
    <path d="M15.5 8.500V7A2.5 2.5 0 0 0 13 4.500H7A2.5 2.5 0 0 0 4.5 7v6A2.5 2.5 0 0 0 7 15.500h1.5" />
  </>,
);
export const ShareIcon = icon(
  <>
    <path d="M12 15V4M8 7.5 12 3.500l4 4" />
    <path d="M6 11H5.500A1.5 1.5 0 0 0 4 12.500v6A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.500v-6a1.5 1.5 0 0 0-1.5-1.500H18" />
  </>,
);
export const ChevronIcon = icon(<path d="m9.5 6 6 6-6 6" />);
export const BackIcon = icon(<path d="M19 12H5.500M11 6l-6 6 6 6" />);
export const CollapseIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="3" />
    <path d="M9.5 4.500v15M16 9.5 13.5 12l2.5 2.5" />
  </>,
);
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.500V12l3 2" />
  </>,
);
export const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.6 9.500a2.5 2.5 0 1 1 3.6 2.300c-.8.4-1.2 1-1.2 1.9" />
    <circle cx="12" cy="16.7" r=".9" fill="currentColor" stroke="none" />
  </>,
);
export const LogoutIcon = icon(
  <>
    <path d="M10 4.500H7A2.5 2.5 0 0 0 4.5 7v10A2.5 2.5 0 0 0 7 19.500h3" />
    <path d="M14 8l4 4-4 4M18 12H9.5" />
  </>,
);
export const LockIcon = icon(
  <>
    <rect x="5" y="10.5" width="14" height="9.5" rx="2.5" />
    <path d="M8 10.500V8a4 4 0 0 1 8 0v2.500M12 14.500v2" />
  </>,
);
export const FileIcon = icon(
  <>
    <path d="M13.500 3.500H8A2.5 2.5 0 0 0 5.5 6v12A2.5 2.5 0 0 0 8 20.500h8a2.5 2.5 0 0 0 2.5-2.500V8.500Z" />
    <path d="M13.500 3.500v5h5M9 13h6M9 16.500h4" />
  </>,
);
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11.200v5" />
    <circle cx="12" cy="7.9" r=".9" fill="currentColor" stroke="none" />
  </>,
);
export const WarningIcon = icon(
  <>
    <path d="M10.3 4.8 3.4 17a2 2 0 0 0 1.7 3h13.800a2 2 0 0 0 1.7-3L13.7 4.800a2 2 0 0 0-3.4 0Z" />
    <path d="M12 9.500v4" />
    <circle cx="12" cy="16.6" r=".9" fill="currentColor" stroke="none" />
  </>,
);
export const BankIcon = icon(<path d="M4 9.5 12 4.500l8 5M5 20h14M6.5 10v7M10.2 10v7M13.8 10v7M17.5 10v7" />);
export const LedgerIcon = icon(
  <>
    <rect x="5" y="3.5" width="14" height="17" rx="2.5" />
    <path d="M9 8h6M9 12h6M9 16h3" />
  </>,
);
export const DownloadIcon = icon(<path d="M12 4v10.500M7.5 10.500 12 15l4.5-4.500M5 19.500h14" />);
export const CardIcon = icon(
  <>
    <rect x="3.5" y="5.5" width="17" height="13" rx="2.5" />
    <path d="M3.5 10h17M7 15h3" />
  </>,
);
export const EyeIcon = icon(
  <>
    <path d="M3 12c1-2 4-6 9-6s8 4 9 6c-1 2-4 6-9 6s-8-4-9-6Z" />
    <circle cx="12" cy="12" r="2.5" />
  </>,
);
export const EyeOffIcon = icon(
  <path d="M4 4l16 16M9.9 6.300A9 9 0 0 1 12 6c5 0 8 4 9 6a14 14 0 0 1-2.4 3.200M14.5 14.600A3.5 3.5 0 0 1 9.5 9.600M6.5 7.800A14 14 0 0 0 3 12c1 2 4 6 9 6a9 9 0 0 0 3.8-.8" />,
);
export const ArrowInIcon = icon(<path d="M17 7 7 17M7 9v8h8" />);
export const ArrowOutIcon = icon(<path d="M7 17 17 7M9 7h8v8" />);
export const UndoIcon = icon(<path d="M9 14 4.500 9.500 9 5M5 9.500h9a5 5 0 0 1 0 10h-3" />);
export const HeartIcon = icon(
  <path d="M12 19.500C7 16 4 13 4 9.500A4 4 0 0 1 11.300 7.200L12 8l.7-.8A4 4 0 0 1 20 9.500c0 3.500-3 6.500-8 10Z" />,
);
