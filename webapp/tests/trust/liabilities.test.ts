import { describe, expect, it } from "vitest";
import { countedUnder, type LiabilitiesFile } from "@/lib/proof/liabilities";
import { vectors } from "./liabilities";

describe("what is owed, by the ledger's own vectors", () => {
  it.each(vectors)("$name", async ({ root, holds, kobo, file }) => {
    const counted = await countedUnder(file, root);
    expect(counted).toBe(holds ? BigInt(kobo ?? "") : undefined);
  });

  it("refuses a file of another shape", async () => {
    const [first] = vectors.filter(({ holds }) => holds);
    const broken = { ...first?.file, accounts: undefined } as unknown as LiabilitiesFile;
    expect(await countedUnder(broken, first?.root ?? "")).toBeUndefined();
  });
});
