import type { Slice } from "./store";

export interface ShellSlice {
  sidebarCollapsed: boolean;
  searchOpen: boolean;
  noticesOpen: boolean;
  toggleSidebar: () => void;
  openSearch: (open: boolean) => void;
  openNotices: (open: boolean) => void;
  /** Reads again just those loaded parts that the topics name. */
  refreshTopics: (topics: string[]) => void;
  refreshAll: () => void;
}

const GROUP = "group:";

export const createShellSlice: Slice<ShellSlice> = (set, get) => ({
  sidebarCollapsed: false,
  searchOpen: false,
  noticesOpen: false,
  toggleSidebar: () => set((state) => ({ sidebarCollapsed: !state.sidebarCollapsed })),
  openSearch: (searchOpen) => set({ searchOpen }),
  openNotices: (noticesOpen) => set({ noticesOpen }),
  refreshTopics(topics) {
    const state = get();
    const named = new Set(topics);
    if (named.has("wallet")) {
      set({ walletTick: state.walletTick + 1 });
      if (state.balances.state !== "idle") void state.loadBalances();
      if (state.movements.state !== "idle") void state.loadMovements();
      if (state.openPayments.state !== "idle") void state.loadOpenPayments();
    }
    if (named.has("activity")) {
      set({ activityTick: state.activityTick + 1 });
      if (state.activity.state !== "idle") void state.loadActivity();
    }
    if (named.has("notifications")) {
      void state.loadNotifications();
      // Being let into a group, or a group becoming active, is told to people who don't follow it yet.
      if (state.groups.state !== "idle") void state.loadGroups();
    }
    if (state.profile.state === "ready" && (named.has("account") || named.has("notifications"))) {
      // A BVN that is being looked up and a guardian's answer come by notification.
      const { bvnStatus, guardian } = state.profile.value;
      const waiting = bvnStatus === "PENDING" || guardian?.status === "ASKED";
      if (waiting || named.has("account")) void state.refreshProfile();
    }
    const groups = topics.filter((topic) => topic.startsWith(GROUP)).map((topic) => topic.slice(GROUP.length));
    for (const id of groups) state.refreshGroup(id);
    const moved = groups.length > 0 || named.has("wallet") || named.has("activity");
    if (moved && state.dashboard.state !== "idle") void state.loadDashboard();
  },
  refreshAll() {
    const { groupById, subAccountsOf, groupTicks, refreshTopics } = get();
    const groups = new Set([groupById, subAccountsOf, groupTicks].flatMap(Object.keys));
    refreshTopics(["wallet", "activity", "notifications", ...[...groups].map((id) => GROUP + id)]);
    if (get().groups.state !== "idle") void get().loadGroups();
  },
});
