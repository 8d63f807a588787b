import { type Kept as KeptBy, inBrowser as keptIn } from "@/lib/kept";

/** What this device keeps of one person's watching. The private key never leaves the browser. */
export interface Watching {
  pair: CryptoKeyPair;
  /** Hex. */
  publicKey: string;
  /** The last checkpoint that it signed, or is about to. */
  last?: string;
  /** That was kept by the ledger, and when, in ms. */
  signed?: { size: number; at: number };
  /** What the ledger showed that does not continue the last. Nothing is signed any more. */
  alarm?: Evidence;
}

/** What shows to anybody that two histories were signed, or what was offered in place of a proof. */
export interface Evidence {
  /** Its key in hex; empty of a device that does not watch. */
  device: string;
  /** What it signed last; what it saw first, where it does not watch. */
  before: string;
  shown: string;
  proof: string[];
  statements: string[];
  at: string;
}

/** Where a device keeps it, by person. */
export type Kept = KeptBy<Watching>;

/** In the browser's own database. */
export const inBrowser: Kept = keptIn("adashi-witness", "watching");
