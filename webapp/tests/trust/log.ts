import { HttpResponse, http } from "msw";
import { type Bytes, fromText, join, sha256, toBase64, toHex } from "@/lib/proof/bytes";
import { leafHash } from "@/lib/proof/merkle";
import { origin, yes } from "../kit/help";
import { network } from "../kit/network";

const NAME = "adashi.ng/ledger";

const under = (size: number) => 2 ** Math.floor(Math.log2(size - 1));

async function rootOf(leaves: Bytes[]): Promise<Bytes> {
  if (leaves.length < 2) return leaves[0] ?? sha256();
  const k = under(leaves.length);
  return sha256(Uint8Array.of(1), await rootOf(leaves.slice(0, k)), await rootOf(leaves.slice(k)));
}

/** RFC 6962, 2.1.2: that the first m leaves grew into all. */
async function proofOf(m: number, leaves: Bytes[], whole = true): Promise<Bytes[]> {
  if (m === leaves.length) return whole ? [] : [await rootOf(leaves)];
  const k = under(leaves.length);
  if (m <= k) return [...(await proofOf(m, leaves.slice(0, k), whole)), await rootOf(leaves.slice(k))];
  return [...(await proofOf(m - k, leaves.slice(k), false)), await rootOf(leaves.slice(0, k))];
}

export interface Start {
  epoch?: number;
  from: number;
  lost: { epoch: number; records: string[] };
}

/** A ledger's key, which signs whatever a test has it sign. */
export async function newLog() {
  const pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as CryptoKeyPair;
  const typed = join(Uint8Array.of(1), new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const hash = (await sha256(fromText(`${NAME}\n`), typed)).slice(0, 4);
  const leavesOf = (records: string[]) => Promise.all(records.map((record) => leafHash(fromText(record))));
  const root = async (records: string[]) => toBase64(await rootOf(await leavesOf(records)));
  const signed = async (text: string) => {
    const signature = new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, pair.privateKey, fromText(text)));
    return `${text}\n— ${NAME} ${toBase64(join(hash, signature))}\n`;
  };
  return {
    checkpoint: async (epoch: number, records: string[]) =>
      signed(`${NAME}/e${epoch}\n${records.length}\n${await root(records)}\n`),
    /** That an epoch goes on from so many of the records of the last checkpoint that is given up. */
    start: async ({ epoch = 2, from, lost }: Start) =>
      signed(
        `${NAME}/epoch-start\nepoch ${epoch}\nfrom ${from} ${await root(lost.records.slice(0, from))}\n` +
          `lost e${lost.epoch} ${lost.records.length} ${await root(lost.records)}\nstream 0\n` +
          "at 2026-11-23T08:00:00Z\nreason The backup of 04:00 was restored.\n",
      ),
    /** The ledger shows a checkpoint, proves what its records prove, and tells of these starts of epochs. */
    tells: (note: string, records: string[], starts: string[] = []) =>
      network.use(
        http.get(`${origin}/api/Ledger/checkpoint`, () => new Response(note)),
        http.get(`${origin}/api/Ledger/keys`, () =>
          yes([{ key: `${NAME}+${toHex(hash)}+${toBase64(typed)}`, retired: false }]),
        ),
        http.get(`${origin}/api/Ledger/epochs`, () => yes(starts.map((one) => ({ note: one })))),
        http.get(`${origin}/api/Ledger/consistency`, async ({ request }) => {
          const [from, to] = ["from", "to"].map((name) => Number(new URL(request.url).searchParams.get(name)));
          if (!from || !to || from > to) return new HttpResponse(null, { status: 400 });
          const hashes = await proofOf(from, await leavesOf(records.slice(0, to)));
          return yes({ from, to, hashes: hashes.map(toBase64) });
        }),
      ),
  };
}
