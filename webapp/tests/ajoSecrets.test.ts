import { http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { sealBid } from "@/api/ajoActs";
import { bidHash, commitTo, keptBid, sealedBid } from "@/lib/draw/secrets";
import { sendCommand } from "@/store/command";
import { no, origin, signIn, yes } from "./help";
import { network } from "./network";

describe("sealed bids on a device", () => {
  beforeEach(signIn);

  it("a bid that was refused does not lose the one that is sealed", async () => {
    const sealed: string[] = [];
    network.use(
      http.post(`${origin}/api/v1/ajo/:id/bids`, async ({ request }) => {
        const { commitment } = (await request.json()) as { commitment: string };
        if (sealed.length > 0) return no(409, "Bids ended with the due day.", "CONFLICT");
        sealed.push(commitment);
        return yes({}, "Sealed.");
      }),
    );
    // As Choosing.tsx does it.
    const bid = async (kobo: number) => {
      const commitment = await sealedBid("a1", 3, 2, kobo);
      const body = { cycle: 3, seat: 2, commitment };
      await sendCommand({ name: "bid:a1:3" }, (key) => sealBid(key, "a1", body)).catch(() => {});
    };
    await bid(150_000);
    expect(sealed).toHaveLength(1);
    await bid(200_000);
    const kept = keptBid("a1", 3, 2);
    expect(kept && (await bidHash(3, 2, kept))).toBe(sealed[0]);
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
