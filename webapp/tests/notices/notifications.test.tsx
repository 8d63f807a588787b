import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Notification } from "@/api/schema.gen";
import { TopBar } from "@/app/shell/TopBar";
import { Notifications } from "@/features/notices/notifications/screens/Notifications";
import { useStore } from "@/store/store";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const notice = (id: string, type: Notification["type"], title: string, link: string, isRead = false): Notification => ({
  id,
  type,
  isRead,
  dateCreated: "2026-11-20T10:00:00Z",
  data: { title, body: `${title}, in full.`, eventId: `e-${id}`, link },
});

let all: Notification[];
const unread = () => all.filter(({ isRead }) => !isRead).length;

beforeEach(() => {
  all = [
    notice("n3", "security_alert", "Your password was changed", "/dashboard/security"),
    notice("n2", "bvn_verified", "Your BVN is verified", "/dashboard/profile"),
    notice("n1", "bvn_failed", "Your BVN could not be verified", "https://elsewhere.example/", true),
  ];
  signIn();
  network.use(
    http.get(`${origin}/api/Notification/all`, ({ request }) => {
      const before = new URL(request.url).searchParams.get("before");
      if (before === "n2") return yes({ notifications: all.slice(2), unread: unread() });
      return yes({ notifications: all.slice(0, 2), unread: unread(), ...(all.length > 2 ? { next: "n2" } : {}) });
    }),
    http.get(`${origin}/api/v1/notifications/unread`, () => yes({ unread: unread() })),
  );
});

const open = async () => {
  show(
    <>
      <TopBar wide onMenu={() => {}} onSlot={() => {}} />
      <Notifications />
    </>,
    "/dashboard/notifications",
  );
  await screen.findByText("Your BVN is verified");
};
const item = (title: string) => within(screen.getByText(title).closest("li") as HTMLElement);
const badge = () => document.querySelector("[data-unread]")?.textContent ?? "0";

describe("the notification centre", () => {
  it("lists page by page, with what is unread counted on the bell", async () => {
    await open();
    expect([badge(), screen.getByText("2 unread").textContent]).toEqual(["2", "2 unread"]);
    expect(screen.queryByText("Your BVN could not be verified")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("Your BVN could not be verified")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    expect(screen.getByRole("link", { name: "Choose what you are told" }).getAttribute("href")).toBe(
      "/dashboard/profile/edit#settings",
    );
  });

  it("marks one read without opening it", async () => {
    const read: unknown[] = [];
    network.use(
      http.patch(`${origin}/api/Notification/:id`, ({ params }) => {
        read.push(params.id);
        return yes();
      }),
    );
    await open();
    const mark = screen.getByRole("button", { name: "Mark as read: Your BVN is verified" });
    expect(mark.textContent).toBe("Mark as read"); // A tick would look like agreeing.
    await userEvent.click(mark);
    await waitFor(() => expect(badge()).toBe("1"));
    expect(read).toEqual(["n2"]);
    expect(screen.queryByRole("button", { name: "Mark as read: Your BVN is verified" })).toBeNull();
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/notifications");
  });

  it("opened, marks it read and leads where it points, though never out of the app", async () => {
    const read = vi.fn(() => yes());
    network.use(http.patch(`${origin}/api/Notification/:id`, read));
    await open();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await userEvent.click(item("Your BVN could not be verified").getByRole("button"));
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/notifications");
    expect(read).not.toHaveBeenCalled();
    const [first] = item("Your password was changed").getAllByRole("button");
    await userEvent.click(first as HTMLElement);
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/security");
    await waitFor(() => expect(read).toHaveBeenCalledOnce());
  });

  it("counts no further than 99, and knows no less after one is read", async () => {
    network.use(
      http.get(`${origin}/api/Notification/all`, () =>
        yes({ notifications: all.slice(0, 2), unread: 100, next: "n2" }),
      ),
      http.patch(`${origin}/api/Notification/:id`, () => yes()),
      http.get(`${origin}/api/v1/notifications/unread`, () => yes({ unread: 100 })),
      http.patch(`${origin}/api/Notification/all`, () => yes()),
    );
    await open();
    expect([badge(), screen.getByText("99+ unread").textContent]).toEqual(["99+", "99+ unread"]);
    await userEvent.click(screen.getByRole("button", { name: "Mark as read: Your BVN is verified" }));
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: "Mark as read: Your BVN is verified" })).toBeNull(),
    );
    expect(badge()).toBe("99+");
    await userEvent.click(screen.getByRole("button", { name: "Mark all as read" }));
    expect(await screen.findByText("You have read everything.")).toBeTruthy();
    expect(badge()).toBe("0");
  });

  it("marks all read at once", async () => {
    network.use(http.patch(`${origin}/api/Notification/all`, () => yes()));
    await open();
    await userEvent.click(screen.getByRole("button", { name: "Mark all as read" }));
    expect(await screen.findByText("You have read everything.")).toBeTruthy();
    expect(badge()).toBe("0");
  });

  it("clears all once that is confirmed, and then says what would show here", async () => {
    const cleared = vi.fn(() => yes());
    network.use(http.delete(`${origin}/api/Notification/all`, cleared));
    await open();
    await userEvent.click(screen.getByRole("button", { name: "Clear all" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Clear all notifications?" }));
    expect(cleared).not.toHaveBeenCalled();
    await userEvent.click(dialog.getByRole("button", { name: "Clear all" }));
    expect(await screen.findByText("Nothing new")).toBeTruthy();
    expect(cleared).toHaveBeenCalledOnce();
  });

  it("shows what arrives by itself", async () => {
    await open();
    all = [notice("n4", "payment_received", "A contribution arrived", "/savings/g1"), ...all];
    act(() => useStore.getState().refreshTopics(["notifications"]));
    expect(await screen.findByText("A contribution arrived")).toBeTruthy();
    await waitFor(() => expect(badge()).toBe("3"));
  });

  it("says its own sentences when something fails", async () => {
    network.use(
      http.patch(`${origin}/api/Notification/all`, () => Response.error()),
      http.patch(`${origin}/api/Notification/:id`, () => no(404, "It is gone.", "NOT_FOUND")),
    );
    await open();
    await userEvent.click(screen.getByRole("button", { name: "Mark all as read" }));
    expect(await screen.findByText("Failed to mark notifications as read")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Mark as read: Your BVN is verified" }));
    expect(await screen.findByText("It is gone.")).toBeTruthy();
    expect(badge()).toBe("2");
  });
});
