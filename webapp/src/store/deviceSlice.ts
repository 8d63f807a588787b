import type { Slice } from "./store";
import type { Kept } from "./tabs";

/** What belongs to the device, whoever uses it: it stays when a session ends. All other slices begin again. */
export interface DeviceSlice {
  sidebarCollapsed: boolean;
  /** Home shows no figures: others may look at the screen. */
  figuresHidden: boolean;
  /** What people have saved on the audit desk, by who they are. */
  savedFilters: Record<string, unknown[]>;
  /** By how many milliseconds the server's clock is ahead of this device's. */
  ahead: number;
  /** Whether the server answered when it was last asked; false as long as the device has no network. */
  reached: boolean;
  /** What this tab has read or written last of what the browser keeps. Changed in place, since no component shows it. */
  tab: { known: Partial<Kept> };
  toggleSidebar: () => void;
  toggleFigures: () => void;
}

export const createDeviceSlice: Slice<DeviceSlice> = (set) => ({
  sidebarCollapsed: false,
  figuresHidden: false,
  savedFilters: {},
  ahead: 0,
  reached: globalThis.navigator?.onLine !== false,
  tab: { known: {} },
  toggleSidebar: () => set((state) => ({ sidebarCollapsed: !state.sidebarCollapsed })),
  toggleFigures: () => set((state) => ({ figuresHidden: !state.figuresHidden })),
});
