import { readFileSync } from "node:fs";
import type { LiabilitiesFile } from "@/lib/proof/liabilities";

/** The vectors that the ledger's verifier is held to. */
export const vectors = JSON.parse(readFileSync("../ledger/infra/proofs/liabilities/testdata/vectors.json", "utf8")) as {
  name: string;
  root: string;
  holds: boolean;
  kobo?: string;
  file: LiabilitiesFile;
}[];
