import type { AttestDevice, MonthDraw } from "@/api/schema.gen";
import { fromHex, fromText, toHex } from "@/lib/proof/bytes";
import { isSigned } from "@/lib/proof/note";
import { positionsDigest } from "./sample";

// As the ledger has it (ledger/domain/sampling/statement.go): its test and ours read the same example.
/** What a device signs of who registers its key. */
export const keyStatement = (user: string, publicKey: string, device: AttestDevice): string =>
  `adashi.ng/attest-key/v1\nuser ${user}\nkey ${publicKey}\ndevice ${device}\n`;

/** What a device signs of a month: all that is attested, of the list and the sample as they are shown here. */
export async function statementOf(draw: MonthDraw, publicKey: string): Promise<string | undefined> {
  const { attestation: said, sample, always } = draw;
  if (!said) return undefined;
  const lines: [string, string | number][] = [
    [draw.ajo ? "ajo" : "group", draw.id],
    ["month", draw.month],
    ["by", said.by],
    ["key", publicKey],
    ["list", draw.digest],
    ["list-position", draw.position],
    ["payments", draw.positions.length],
    ["margin", draw.marginPercent * 100],
    ["chain", draw.beacon.chainHash],
    ["round", draw.round],
    ["sample", toHex(await positionsDigest(sample))],
    ["marked-up-to", said.position],
    ["validated", said.validated],
    ["queried", said.queried],
    ["resolved", said.resolved],
    ["unreviewed", said.unreviewed],
    ["taken-back", said.takenBack],
    ["drawn", sample.length - always.length],
    ["drawn-queried", said.drawnQueried],
    ["always", always.length],
    ["always-queried", said.alwaysQueried],
  ];
  return `adashi.ng/month-attestation/v1\n${lines.map(([name, value]) => `${name} ${value}\n`).join("")}`;
}

/** Whether the key that is named signed what is attested of a month. */
export async function isAttested(draw: MonthDraw): Promise<boolean> {
  const { publicKey = "", signature = "" } = draw.attestation ?? {};
  const [key, signed, text] = [fromHex(publicKey), fromHex(signature), await statementOf(draw, publicKey)];
  if (key?.length !== 32 || signed?.length !== 64 || !text) return false;
  return isSigned(fromText(text), signed, key);
}

/** A key as people compare it: its first sixteen digits. */
export const fingerprint = (publicKey: string): string => publicKey.slice(0, 16).match(/.{4}/g)?.join(" ") ?? "";
