import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { routes } from "@/app/router";
import type { DrawProof } from "@/lib/draw/proof";
import { ajo } from "../kit/ajo";
import { proofOf, proofOf2, revealsOf } from "../kit/draw";
import { no, origin, showRoutes, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const proof = proofOf(5);
const address = `/ajo/draw/${proof.ajoId}`;

const tells = (value: unknown) =>
  network.use(http.get(`${origin}/api/v1${address.replace("/draw/", "/")}/draw`, () => yes(value)));

const rows = () => [...document.querySelectorAll("[data-step]")].map((row) => row.getAttribute("data-step"));

const picker = async () => {
  await screen.findByRole("button", { name: "Check a file" });
  return document.querySelector('[data-picker="Check a file"]') as HTMLInputElement;
};

const file = (value: unknown, name = "a.json") =>
  new File([typeof value === "string" ? value : JSON.stringify(value)], name, { type: "application/json" });

afterEach(() => vi.restoreAllMocks());

describe("the draw of an ajo", () => {
  it("is drawn again for everybody, and told turn by turn", async () => {
    tells(proof);
    showRoutes(routes, address);
    await screen.findByText("The draw is right");
    expect(rows()).toEqual(Array(7).fill("ok"));
    screen.getByRole("heading", { name: "Market women of Balogun" });
    screen.getByText(/round 123 of a public beacon/);
    expect(screen.queryByText("Test beacon")).toBeNull();
    const turns = within(screen.getByRole("heading", { name: "The order" }).parentElement as HTMLElement);
    expect(turns.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Turn 1Seat 2",
      "Turn 2Seat 1",
      "Turn 3Seat 5, shared by two",
      "Turn 4Seat 4",
      "Turn 5Seat 3",
    ]);
  });

  it("shows a member the names of the people, in the app's frame; a visitor sees seats only", async () => {
    signIn();
    network.use(http.get(`${origin}/api/*`, () => yes([])));
    const seats = ajo().seats.map((seat) => ({ ...seat, seat: seat.seat === 1 ? 2 : seat.seat + 2 }));
    network.use(http.get(`${origin}/api/Ajo/GetAjoById/:id`, () => yes(ajo({ seats }))));
    tells(proof);
    showRoutes(routes, address);
    await screen.findByText("The draw is right");
    await screen.findByText("The names are of the members who hold the seats now. Only members see them.");
    const turns = within(screen.getByRole("heading", { name: "The order" }).parentElement as HTMLElement);
    expect(turns.getAllByRole("listitem")[0]?.textContent).toBe("Turn 1Ada Obi, Seat 2");
    expect(screen.getByRole("main").id).toBe("main");
  });

  it("is drawn again in version 2, which names nobody by a user id", async () => {
    tells(proofOf2(5));
    showRoutes(routes, address);
    await screen.findByText("The draw is right");
    expect(rows()).toEqual(Array(7).fill("ok"));
  });

  it("names the step that failed", async () => {
    tells({ ...proof, order: [1, 2, 3, 4, 5] });
    showRoutes(routes, address);
    await screen.findByText("The draw does not hold: the order");
    expect(rows()).toEqual([...Array(6).fill("ok"), "failed"]);
    expect(screen.queryByText("The draw is right")).toBeNull();
  });

  it("is labelled where its beacon is a test, and then proves nothing", async () => {
    const { beacon } = proof;
    tells({ ...proof, beacon: { ...beacon, name: "adashi-test-beacon", chainHash: "00".repeat(32), test: true } });
    showRoutes(routes, address);
    await screen.findByText("Every step holds, for a test");
    screen.getByText("Test beacon");
    screen.getByText(/round 123 of a test beacon/);
    expect(screen.queryByText("The draw is right")).toBeNull();
  });

  it("tells of phones", async () => {
    const seats = proof.seats;
    tells({ ...proof, source: "PHONES", beacon: null, round: null, signature: null, reveals: revealsOf(seats) });
    showRoutes(routes, address);
    await screen.findByText(/5 of 5|6 of 6/);
    screen.getByText(/left to secrets/);
  });

  it("is kept as a file with all that it takes", async () => {
    let kept: Blob | undefined;
    URL.createObjectURL = vi.fn((blob: Blob) => {
      kept = blob;
      return "blob:kept";
    });
    URL.revokeObjectURL = vi.fn();
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    tells(proof);
    showRoutes(routes, address);
    await userEvent.click(await screen.findByRole("button", { name: "Download the file" }));
    expect(click).toHaveBeenCalledOnce();
    expect(JSON.parse((await kept?.text()) ?? "")).toEqual(proof);
  });

  it("says where there is none, and offers to check a file", async () => {
    network.use(http.get(`${origin}/api/v1/ajo/:id/draw`, () => no(404, "There is no such draw.", "NOT_FOUND")));
    showRoutes(routes, address);
    await screen.findByText("There is no draw here");
    await picker();
  });
});

describe("the file of a draw", () => {
  it("is checked without a call", async () => {
    showRoutes(routes, "/ajo/draw"); // Any call would fail the test: nothing answers.
    await userEvent.upload(await picker(), file(proof, "balogun.json"));
    await screen.findByText("The draw is right");
    screen.getByText("From the file balogun.json");
  });

  it("takes the place of the address' draw, and gives it back", async () => {
    tells(proof);
    showRoutes(routes, address);
    await screen.findByText("The draw is right");
    const other: DrawProof = { ...proof, termsHash: "00".repeat(32) };
    await userEvent.upload(await picker(), file(other));
    await screen.findByText("The draw does not hold: the sealed list");
    await userEvent.click(screen.getByRole("button", { name: "Back to the draw of this address" }));
    await screen.findByText("The draw is right");
  });

  it.each([
    ["no JSON", "<html>", "That file cannot be read. Choose the JSON file of a draw."],
    ["another JSON", { order: [1] }, "The draw does not hold: the file"],
  ])("is refused when it is %s", async (_, content, says) => {
    showRoutes(routes, "/ajo/draw");
    await userEvent.upload(await picker(), file(content));
    await screen.findByText(says);
  });
});
