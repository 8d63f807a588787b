import { toast } from "@/ui/toaster";
import type { Slice } from "./store";

export interface ShellSlice {
  searchOpen: boolean;
  noticesOpen: boolean;
  /** The forms on screen with unsaved input: see unsaved.ts. Changed in place, since no component shows it. */
  unsaved: Set<symbol>;
  openSearch: (open: boolean) => void;
  openNotices: (open: boolean) => void;
}

export const createShellSlice: Slice<ShellSlice> = (set) => ({
  searchOpen: false,
  noticesOpen: false,
  unsaved: new Set(),
  openSearch: (searchOpen) => {
    if (searchOpen) toast.clear(); // It would be over what was found.
    set({ searchOpen });
  },
  openNotices: (noticesOpen) => set({ noticesOpen }),
});
