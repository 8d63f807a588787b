import { act, fireEvent, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Movement } from "@/api/schema.gen";
import { joinRows, type Row, rowsOf } from "@/features/money/activity/list/rows";
import { useSent } from "@/features/money/activity/list/useFilters";
import { Activity } from "@/features/money/activity/screens/Activity";
import { useStore } from "@/store/store";
import { no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const HOUR_MS = 3_600_000;
const newest = Date.parse("2026-11-20T10:00:00Z");

const movement = (at: number): Movement => ({
  id: `m${at}`,
  kind: "CONTRIBUTION",
  title: `Movement ${at}`,
  direction: "OUT",
  amount: 5000,
  date: new Date(newest - at * HOUR_MS).toISOString(),
  recordedAt: new Date(newest - at * HOUR_MS).toISOString(),
  position: 1_000_000 - at,
  reference: `ref-${at}`,
});
const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => movement(from + at));

describe("rows by day", () => {
  const days = (rows: Row[]) => rows.filter((row) => !row.movement).map(({ day }) => day);

  it("have one heading for each Lagos day, whose midnight is an hour before UTC's", () => {
    const late = { ...movement(0), date: "2026-11-19T22:59:00Z" };
    const later = { ...movement(1), date: "2026-11-19T23:00:00Z" };
    expect(days(rowsOf([later, late]))).toEqual(["2026-11-20", "2026-11-19"]);
  });

  it("come out the same page by page as all at once", () => {
    const whole = many(0, 500);
    let rows: Row[] = [];
    for (let at = 0; at < whole.length; at += 7) rows = joinRows(rows, rowsOf(whole.slice(at, at + 7)));
    expect(rows).toEqual(rowsOf(whole));
  });
});

describe("what was sent", () => {
  it("is known again when it is shown late, and what was skipped on the way is forgotten", () => {
    const { result } = renderHook(() => useSent());
    for (const text of ["a", "ab", "abc"]) result.current.add(text);
    expect(["a", "abc", "ab", "abc"].map(result.current.came)).toEqual([true, true, false, false]);
  });
});

describe("the activity screen", () => {
  const heights = vi.spyOn(HTMLElement.prototype, "offsetHeight", "get");
  beforeEach(() => {
    signIn();
    heights.mockReturnValue(68);
    network.use(http.get(`${origin}/api/GroupSavings/GetUserGroupSavings/:id`, () => yes([])));
  });
  afterEach(() => void heights.mockReset());

  const answers = (reply: (query: URLSearchParams) => unknown) => {
    const asked: string[] = [];
    network.use(
      http.get(`${origin}/api/v1/activity`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query.toString());
        return yes(reply(query));
      }),
    );
    return asked;
  };

  it("holds 100,000 rows with only those in view on the page, and fetches no page before it is near", async () => {
    const asked = answers((query) =>
      query.get("before") ? { transactions: many(100_000, 100) } : { transactions: many(0, 100_000), next: "further" },
    );
    show(<Activity />, "/dashboard/activity");
    await screen.findByText("Movement 0");
    expect(document.querySelectorAll('a[href^="/dashboard/activity/"]').length).toBeLessThan(60);
    expect(asked).toHaveLength(1);
    const list = screen.getByRole("list", { name: "Movements, newest first" });
    expect(Number.parseInt(list.style.height || getComputedStyle(list).height, 10)).toBeGreaterThan(6_000_000);
  });

  it("reads on by keyset as one comes near the end", async () => {
    const asked = answers((query) =>
      query.get("before") === "m9" ? { transactions: many(10, 3) } : { transactions: many(0, 10), next: "m9" },
    );
    show(<Activity />, "/dashboard/activity");
    await screen.findByText("Movement 12");
    expect(asked).toEqual(["limit=100", "before=m9&limit=100"]);
  });

  it("puts what comes in on top, and keeps what was read", async () => {
    let first: { transactions: Movement[]; next?: string } = { transactions: many(1, 4) };
    answers(() => first);
    show(<Activity />, "/dashboard/activity");
    await screen.findByText("Movement 4");
    first = { transactions: many(0, 2), next: "m1" };
    act(() => useStore.getState().refreshTopics(["activity"]));
    await screen.findByText("Movement 0");
    const titles = screen.getAllByText(/^Movement/).map(({ textContent }) => textContent);
    expect(titles).toEqual([0, 1, 2, 3, 4].map((at) => `Movement ${at}`));
    const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toHaveLength(2); // The day, and the chart below.
    expect(headings[1]).toBe("Your contributions by month");
  });

  it("sends what one filters by, keeps it in the address, and says what to do when nothing fits", async () => {
    const asked = answers((query) => ({ transactions: query.size > 1 ? [] : many(0, 1) }));
    show(<Activity />, "/dashboard/activity");
    await screen.findByText("Movement 0");
    await userEvent.click(screen.getByRole("button", { name: "Filters" }));
    await userEvent.selectOptions(screen.getByLabelText("What"), "Withdrawals");
    await userEvent.selectOptions(screen.getByLabelText("Direction"), "Out");
    await userEvent.type(screen.getByLabelText("Search your movements"), "5,000");
    await waitFor(() =>
      expect(asked.at(-1)).toBe("kind=WITHDRAWAL&kind=WITHDRAWAL_RETURNED&direction=OUT&search=5%2C000&limit=100"),
    );
    expect(screen.getByTestId("place").textContent).toBe(
      "/dashboard/activity?kind=withdrawals&direction=OUT&search=5%2C000",
    );
    await screen.findByText("Nothing fits");
    await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[0] as HTMLElement);
    await screen.findByText("Movement 0");
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/activity");
  });

  it("searches for what stands in the field as soon as it is left", async () => {
    answers(() => ({ transactions: many(0, 1) }));
    show(<Activity />, "/dashboard/activity?search=Thrift");
    await screen.findByText("Movement 0");
    const field = screen.getByLabelText("Search your movements");
    fireEvent.change(field, { target: { value: "" } });
    fireEvent.blur(field);
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/activity");
  });

  it("keeps both of two filters that are chosen before the screen follows", async () => {
    answers(() => ({ transactions: many(0, 1) }));
    show(<Activity />, "/dashboard/activity?search=Thrift&direction=OUT");
    await screen.findByText("Movement 0");
    act(() => {
      fireEvent.change(screen.getByLabelText("What"), { target: { value: "withdrawals" } });
      fireEvent.change(screen.getByLabelText("Direction"), { target: { value: "" } });
    });
    expect(screen.getByTestId("place").textContent).toBe("/dashboard/activity?search=Thrift&kind=withdrawals");
  });

  it("begins from filters in the address, and leaves out what is none", async () => {
    const asked = answers(() => ({ transactions: many(0, 1) }));
    show(<Activity />, "/dashboard/activity?kind=contributions&from=2026-11-01&to=tomorrow&channel=CASH");
    await screen.findByText("Movement 0");
    expect(asked).toEqual(["kind=CONTRIBUTION&kind=COVER&from=2026-11-01&limit=100"]);
  });

  it("hands over the filtered list as CSV and the statement as PDF", async () => {
    answers(() => ({ transactions: many(0, 1) }));
    const asked: string[] = [];
    const file = (type: string) => () => new HttpResponse("x", { headers: { "Content-Type": type } });
    const kept: string[] = [];
    URL.createObjectURL = vi.fn(() => "blob:kept");
    URL.revokeObjectURL = vi.fn();
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      kept.push(this.download);
    });
    network.use(
      http.get(`${origin}/api/v1/activity/export.csv`, ({ request }) => {
        asked.push(new URL(request.url).search);
        return file("text/csv")();
      }),
      http.get(`${origin}/api/v1/activity/statement.pdf`, ({ request }) => {
        asked.push(new URL(request.url).search);
        return file("application/pdf")();
      }),
    );
    show(<Activity />, "/dashboard/activity?direction=OUT");
    await userEvent.click(await screen.findByRole("button", { name: "Download CSV" }));
    await waitFor(() => expect(kept).toEqual(["adashi-activity.csv"]));
    await userEvent.click(screen.getByRole("button", { name: "Statement (PDF)" }));
    const from = await screen.findByLabelText("First day");
    await userEvent.clear(from);
    await userEvent.type(from, "2026-10-01");
    const to = screen.getByLabelText("Last day");
    await userEvent.clear(to);
    await userEvent.type(to, "2026-10-31");
    await userEvent.click(screen.getByRole("button", { name: "Download statement" }));
    await waitFor(() => expect(kept[1]).toBe("adashi-statement-2026-10-01-2026-10-31.pdf"));
    expect(asked).toEqual(["?direction=OUT", "?from=2026-10-01&to=2026-10-31"]);
    clicked.mockRestore();
  });

  it("says why a list can't be had, and tries again", async () => {
    let down = true;
    network.use(
      http.get(`${origin}/api/v1/activity`, () =>
        down ? no(503, "The ledger rests for a moment.", "UNAVAILABLE") : yes({ transactions: many(0, 1) }),
      ),
    );
    show(<Activity />, "/dashboard/activity");
    await screen.findByText("The ledger rests for a moment.");
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Movement 0");
  });
});
