import type { Slice } from "./store";

export interface ShellSlice {
  sidebarCollapsed: boolean;
  searchOpen: boolean;
  noticesOpen: boolean;
  /** What people have saved on the audit desk, by who they are. */
  savedFilters: Record<string, unknown[]>;
  toggleSidebar: () => void;
  openSearch: (open: boolean) => void;
  openNotices: (open: boolean) => void;
}

export const createShellSlice: Slice<ShellSlice> = (set) => ({
  sidebarCollapsed: false,
  searchOpen: false,
  noticesOpen: false,
  savedFilters: {},
  toggleSidebar: () => set((state) => ({ sidebarCollapsed: !state.sidebarCollapsed })),
  openSearch: (searchOpen) => set({ searchOpen }),
  openNotices: (noticesOpen) => set({ noticesOpen }),
});
