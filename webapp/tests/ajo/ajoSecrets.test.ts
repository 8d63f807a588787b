import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openBid, sealBid } from "@/api/ajoActs";
import { bidHash, commitTo, keptBids, sealedBid } from "@/lib/draw/secrets";
import { sendCommand } from "@/store/command";
import { ada, no, origin, pump, signIn, yes } from "../kit/help";
import { network } from "../kit/network";

const place = { ajoId: "a1", cycle: 3, seat: 2, userId: ada.id };

describe("sealed bids on a device", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    signIn();
  });
  afterEach(() => void vi.useRealTimers());

  /** As Choosing.tsx does it. */
  const bid = async (kobo: number) => {
    const commitment = await sealedBid(place, kobo);
    const about = { name: "bid:a1:3:2", payload: commitment, free: true };
    await pump(sendCommand(about, (key) => sealBid(key, place, commitment)).catch(() => {}));
    return commitment;
  };

  /** The server keeps the bid that it took last. */
  function server() {
    let sealed = "";
    let reply: () => Response = () => yes({}, "Sealed.");
    let takes = true;
    network.use(
      http.post(`${origin}/api/v1/ajo/:id/bids`, async ({ request }) => {
        const { commitment } = (await request.json()) as { commitment: string };
        if (takes) sealed = commitment;
        return reply();
      }),
      http.post(`${origin}/api/v1/ajo/:id/bids/reveal`, async ({ request }) => {
        const { discount, salt } = (await request.json()) as { discount: number; salt: string };
        const hash = await bidHash(3, 2, { kobo: discount * 100, salt });
        return hash === sealed
          ? yes({}, "Opened.")
          : no(400, "This is not the bid that you sealed.", "INVALID", "discount");
      }),
    );
    return {
      says(next: () => Response, taking: boolean) {
        reply = next;
        takes = taking;
      },
    };
  }

  const opens = () => pump(openBid("key-of-the-opening", place, keptBids(place)).then(({ message }) => message));

  it("a bid that was refused does not lose the one that is sealed", async () => {
    const { says } = server();
    const first = await bid(150_000);
    says(() => no(409, "Bids ended with the due day.", "CONFLICT"), false);
    await bid(200_000);
    const kept = keptBids(place);
    expect(await Promise.all(kept.map((one) => bidHash(3, 2, one)))).toEqual([first]);
    await expect(opens()).resolves.toBe("Opened.");
  });

  it.each([
    ["was taken", true],
    ["never arrived", false],
  ])("the sealed bid opens, though a later one whose answer was lost %s", async (_, taken) => {
    const { says } = server();
    await bid(150_000);
    says(() => HttpResponse.error(), taken);
    await bid(200_000);
    await bid(250_000);
    await expect(opens()).resolves.toBe("Opened.");
  });

  it("a bid that was taken takes the place of all earlier ones", async () => {
    server();
    await bid(150_000);
    await bid(200_000);
    expect(keptBids(place).map(({ kobo }) => kobo)).toEqual([200_000]);
  });

  it("two members of one phone who share a seat each keep their own", async () => {
    server();
    await bid(150_000);
    expect(keptBids({ ...place, userId: "person-bola" })).toEqual([]);
  });

  it("a bid of an earlier build is opened still", () => {
    localStorage.setItem("adashi-ajo-bid:a1:3:2", JSON.stringify({ kobo: 150_000, salt: "00" }));
    expect(keptBids(place)).toEqual([{ kobo: 150_000, salt: "00" }]);
  });
});

describe("two people, one phone", () => {
  it("two members on one phone do not put the same secret into a draw", async () => {
    const secrets = () =>
      Object.keys(localStorage)
        .filter((name) => name.startsWith("adashi-ajo-secret"))
        .map((name) => localStorage.getItem(name));
    await commitTo({ ajoId: "a1", userId: "person-ada", nonce: "00".repeat(16), version: 2 });
    const before = new Set(secrets());
    await commitTo({ ajoId: "a1", userId: "person-bola", nonce: "00".repeat(16), version: 2 });
    const after = new Set(secrets());
    expect(after.size).toBe(before.size + 1);
  });
});
