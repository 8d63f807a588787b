import { beforeEach, describe, expect, it } from "vitest";
import { checkSeal } from "@/features/groups/home/parts/seal";
import { partedFrom } from "@/features/trust/witness/device/watch";
import { newLog, type Start } from "./log";

const records = (of: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `${of} ${from + n}`);

const seen = records("a", 0, 10);
const restored = [...seen.slice(0, 7), ...records("b", 7, 12)];
const lost = { epoch: 1, records: seen };

interface Case {
  shown: string[];
  starts: Start[];
  epoch?: number;
}

/** What a browser that saw the first epoch up to record 10 finds of a checkpoint of a later one. */
async function finds({ shown, starts, epoch = 2 }: Case) {
  const log = await newLog();
  const before = await log.checkpoint(1, seen);
  log.tells(before, seen);
  await checkSeal("ada");
  const now = await log.checkpoint(epoch, shown);
  log.tells(now, shown, await Promise.all(starts.map(log.start)));
  const [device, seal] = [await partedFrom(before), await checkSeal("ada")];
  return { device: device === undefined, seal: seal?.broken === undefined };
}

const goesOn: Record<string, Case> = {
  "from where the key signed that records were put back": { shown: restored, starts: [{ from: 7, lost }] },
  "from nothing, where all was given up": { shown: records("b", 0, 12), starts: [{ from: 0, lost }] },
  "from all that was seen": { shown: [...seen, "a 10"], starts: [{ from: 10, lost }] },
  "after two starts": {
    shown: restored,
    starts: [
      { from: 7, lost },
      { epoch: 3, from: 9, lost: { epoch: 2, records: restored } },
    ],
    epoch: 3,
  },
};

const isRefused: Record<string, Case> = {
  "is a second history from the first record on": { shown: records("b", 0, 12), starts: [{ from: 7, lost }] },
  "gives up another tree than was seen": {
    shown: restored,
    starts: [{ from: 7, lost: { epoch: 1, records: restored.slice(0, 10) } }],
  },
  "gives up less than was seen": {
    shown: restored,
    starts: [{ from: 7, lost: { epoch: 1, records: seen.slice(0, 9) } }],
  },
  "gives up nothing, and is another history": { shown: restored, starts: [{ from: 10, lost }] },
  "has no start that the key signed": { shown: restored, starts: [{ from: 7, lost }], epoch: 3 },
  "has two starts": {
    shown: restored,
    starts: [
      { from: 7, lost },
      { from: 6, lost },
    ],
  },
};

beforeEach(() => localStorage.clear());

describe("a later epoch", () => {
  it.each(Object.entries(goesOn))("goes on %s", async (_, one) => {
    expect(await finds(one)).toEqual({ device: true, seal: true });
  });

  it.each(Object.entries(isRefused))("is refused where it %s", async (_, one) => {
    expect(await finds(one)).toEqual({ device: false, seal: false });
  });
});
