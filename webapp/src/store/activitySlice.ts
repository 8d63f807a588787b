import * as api from "@/api/activity";
import { failureText } from "@/api/failure";
import type { Dashboard, Movement, MovementDetail, Notification } from "@/api/types";
import { errorTexts } from "@/lib/texts/errors";
import { readInto } from "./read";
import { appendPage, idle, mergeFirstPage, type Paged, type Remote } from "./remote";
import type { Slice } from "./store";

export interface ActivitySlice {
  dashboard: Remote<Dashboard>;
  /** The newest movements. */
  activity: Remote<Movement[]>;
  activityDetail: Record<string, Remote<MovementDetail>>;
  notifications: Remote<Paged<Notification>>;
  /** Grows whenever the movements are said to have changed. */
  activityTick: number;
  unread: number;
  loadDashboard: () => Promise<void>;
  loadActivity: () => Promise<void>;
  loadActivityDetail: (id: string) => Promise<void>;
  loadNotifications: () => Promise<void>;
  loadMoreNotifications: () => Promise<void>;
  readNotification: (id: string) => Promise<void>;
  readAllNotifications: () => Promise<void>;
  clearNotifications: () => Promise<void>;
}

export const createActivitySlice: Slice<ActivitySlice> = (set, get) => ({
  dashboard: idle,
  activity: idle,
  activityDetail: {},
  notifications: idle,
  activityTick: 0,
  unread: 0,
  async loadDashboard() {
    await readInto({
      key: "dashboard",
      get: () => get().dashboard,
      put: (dashboard) => set({ dashboard }),
      read: api.getDashboard,
    });
  },
  async loadActivity() {
    await readInto({
      key: "activity",
      get: () => get().activity,
      put: (activity) => set({ activity }),
      read: async () => {
        const { value, ...rest } = await api.getActivity();
        return { ...rest, value: value.transactions };
      },
    });
  },
  async loadActivityDetail(id) {
    await readInto({
      key: `activity:${id}`,
      get: () => get().activityDetail[id] ?? idle,
      put: (detail) => set((state) => ({ activityDetail: { ...state.activityDetail, [id]: detail } })),
      read: () => api.getActivityDetail(id),
    });
  },
  async loadNotifications() {
    await readInto({
      key: "notifications",
      get: () => get().notifications,
      put: (notifications) => set({ notifications }),
      read: async () => {
        const { value, ...rest } = await api.getNotifications();
        set({ unread: value.unread });
        const before = get().notifications;
        const first = { items: value.notifications, next: value.next };
        return { ...rest, value: mergeFirstPage(before.state === "ready" ? before.value : undefined, first) };
      },
      text: (error) => failureText(error, errorTexts.failedTo.notifications),
    });
  },
  async loadMoreNotifications() {
    const { notifications } = get();
    if (notifications.state !== "ready" || !notifications.value.next) return;
    const { value } = await api.getNotifications(notifications.value.next);
    const page = { items: value.notifications, next: value.next };
    set({ notifications: { state: "ready", value: appendPage(notifications.value, page) }, unread: value.unread });
  },
  async readNotification(id) {
    await api.readNotification(id);
    mark(set, (notification) => notification.id === id);
  },
  async readAllNotifications() {
    await api.readAllNotifications();
    mark(set, () => true);
  },
  async clearNotifications() {
    await api.clearNotifications();
    set({ notifications: { state: "ready", value: { items: [] } }, unread: 0 });
  },
});

function mark(
  set: (change: (state: ActivitySlice) => Partial<ActivitySlice>) => void,
  chosen: (notification: Notification) => boolean,
) {
  set(({ notifications, unread }) => {
    if (notifications.state !== "ready") return {};
    const read = notifications.value.items.filter((item) => chosen(item) && !item.isRead).length;
    const items = notifications.value.items.map((item) => (chosen(item) ? { ...item, isRead: true } : item));
    const left = items.every((item) => item.isRead) && !notifications.value.next ? 0 : Math.max(0, unread - read);
    return { notifications: { state: "ready", value: { ...notifications.value, items } }, unread: left };
  });
}
