import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { ClosedMonth, Months as Shown } from "@/api/schema.gen";
import { Months } from "@/features/trust/months/screens/Months";
import { origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const october: ClosedMonth = {
  month: "2026-10",
  label: "October 2026",
  status: "NAMED",
  namedByName: "Vera Obi",
  namedAt: "2026-11-01T08:00:00Z",
  round: 33800000,
  drawAt: "2026-11-01T08:05:03Z",
  test: false,
  marginPercent: 5,
};

const drawn: ClosedMonth = { ...october, status: "DRAWN", payments: 1204, always: 12, drawn: 59, sample: 71, left: 3 };

const attested: ClosedMonth = {
  ...drawn,
  status: "ATTESTED",
  left: undefined,
  attestedAt: "2026-11-03T08:00:00Z",
  attestedByName: "Vera Obi",
  validated: 70,
  queried: 1,
  resolved: 0,
  unreviewed: 1133,
  changedSince: 0,
  sentence: "59 of 1,192, none wrong: 95% sure that fewer than 5% are. The other 12 were all looked at, 1 queried.",
};

const group: Shown = {
  id: "g1",
  kind: "GROUP",
  name: "Balogun Traders",
  closerName: "Vera Obi",
  mayClose: false,
  showsFigures: true,
  toClose: [],
  months: [],
};

function opens(first: Partial<Shown>, then: Partial<Shown> = first) {
  const sent: unknown[] = [];
  network.use(
    http.get(`${origin}/api/v1/months/g1`, () => yes({ ...group, ...first })),
    http.post(`${origin}/api/v1/months/g1`, async ({ request }) => {
      sent.push(await request.json());
      return yes({ ...group, ...then }, "The list is sealed.");
    }),
  );
  show(
    <Routes>
      <Route path="/months/:id" element={<Months />} />
    </Routes>,
    "/months/g1",
  );
  return sent;
}

beforeEach(() => signIn());

describe("the closed months of a group", () => {
  it("are sealed by who audits it, as closely as they choose", async () => {
    const toClose = [{ month: "2026-10", label: "October 2026", payments: 1204 }];
    const sent = opens({ mayClose: true, toClose }, { mayClose: true, months: [october] });
    await screen.findByRole("option", { name: "October 2026: 1,204 payments" });
    await userEvent.selectOptions(screen.getByLabelText("It shows if so much is wrong"), "2");
    await userEvent.click(screen.getByRole("button", { name: "Seal the list" }));
    await screen.findByText(/nobody knows it before/);
    expect(sent).toEqual([{ month: "2026-10", marginPercent: 2 }]);
    expect(screen.queryByRole("button", { name: "Seal the list" })).toBeNull();
  });

  it("are closed once the whole sample is marked", async () => {
    opens({ mayClose: true, months: [drawn] });
    await screen.findByText("3 of 71 are not marked yet.");
    expect(screen.getByRole("link", { name: "Look at the sample" }).getAttribute("href")).toBe(
      "/savings/g1/audit?sample=1",
    );
    expect(screen.queryByRole("button", { name: "Close October 2026" })).toBeNull();
  });

  it("say what the sample shows, and that no device signed it in those of before", async () => {
    opens({ mayClose: true, months: [attested] });
    await screen.findByText(attested.sentence ?? "");
    screen.getByText("No device: it was closed before devices signed");
    expect(screen.queryByText(/Changed since/)).toBeNull();
  });

  it("say what changed since", async () => {
    opens({ months: [{ ...attested, changedSince: 2 }] });
    await screen.findByText(/Changed since: 2 payments/);
    screen.getByText("Vera Obi closes the months here.");
    expect(screen.queryByText("Close a month")).toBeNull();
  });

  it("have no figures where the owner hides them", async () => {
    const { month, label, namedByName, namedAt, round, drawAt, test, marginPercent } = october;
    const bare = { month, label, namedByName, namedAt, round, drawAt, test, marginPercent, status: "DRAWN" as const };
    opens({ showsFigures: false, months: [bare] });
    await screen.findByText(/its officials alone see how many/);
    await waitFor(() => expect(screen.queryByRole("button", { name: /Check the draw/ })).toBeNull());
    expect(screen.queryByText("Payments")).toBeNull();
  });
});
