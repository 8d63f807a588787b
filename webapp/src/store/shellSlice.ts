import type { Slice } from "./store";

export interface ShellSlice {
  sidebarCollapsed: boolean;
  searchOpen: boolean;
  noticesOpen: boolean;
  toggleSidebar: () => void;
  openSearch: (open: boolean) => void;
  openNotices: (open: boolean) => void;
}

export const createShellSlice: Slice<ShellSlice> = (set) => ({
  sidebarCollapsed: false,
  searchOpen: false,
  noticesOpen: false,
  toggleSidebar: () => set((state) => ({ sidebarCollapsed: !state.sidebarCollapsed })),
  openSearch: (searchOpen) => set({ searchOpen }),
  openNotices: (noticesOpen) => set({ noticesOpen }),
});
