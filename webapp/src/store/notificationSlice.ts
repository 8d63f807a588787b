import * as api from "@/api/activity";
import type { Notification } from "@/api/schema.gen";
import { valueIn, valuesIn } from "./source";
import { notificationsSource, unreadSource } from "./sources";
import type { Slice } from "./store";

/** As far as the server counts: it stands for any more. */
const unreadMost = 100;

export interface NotificationSlice {
  readNotification: (id: string) => Promise<void>;
  readAllNotifications: () => Promise<void>;
  clearNotifications: () => Promise<void>;
}

export const createNotificationSlice: Slice<NotificationSlice> = (_set, get) => {
  const mark = (isChosen: (notification: Notification) => boolean, isAll = false) => {
    const pages = valuesIn(get(), notificationsSource);
    const all = pages.flatMap((page) => page.notifications);
    const read = all.filter((one) => isChosen(one) && !one.isRead).length;
    const isWhole = !pages.at(-1)?.next;
    const unread = pages[0]?.unread ?? 0;
    const isNone = isAll || (isWhole && all.every((one) => isChosen(one) || one.isRead));
    const left = unread < unreadMost ? unread - read : unread;
    get().change(notificationsSource, (page) => ({
      ...page,
      unread: isNone ? 0 : Math.max(0, left),
      notifications: page.notifications.map((one) => (isChosen(one) ? { ...one, isRead: true } : one)),
    }));
    get().put(unreadSource, { unread: valueIn(get(), notificationsSource)?.unread ?? 0 });
  };
  return {
    async readNotification(id) {
      await api.readNotification(id);
      mark((notification) => notification.id === id);
    },
    async readAllNotifications() {
      await api.readAllNotifications();
      mark(() => true, true);
    },
    async clearNotifications() {
      await api.clearNotifications();
      get().put(notificationsSource, { notifications: [], unread: 0 });
      get().put(unreadSource, { unread: 0 });
    },
  };
};
