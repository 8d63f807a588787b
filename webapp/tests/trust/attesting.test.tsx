import { readFileSync } from "node:fs";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type {
  AttestKey,
  AttestKeyRequest,
  AttestMonthRequest,
  ClosedMonth,
  MonthDraw,
  Months as Shown,
} from "@/api/schema.gen";
import { deviceKind } from "@/features/trust/months/device/key";
import { SigningDevices } from "@/features/trust/months/parts/SigningDevices";
import { checkMonth } from "@/features/trust/months/proof/check";
import { isAttested, keyStatement, statementOf } from "@/features/trust/months/proof/statement";
import { Months } from "@/features/trust/months/screens/Months";
import { fromHex, fromText } from "@/lib/proof/bytes";
import { isSigned } from "@/lib/proof/note";
import { ada, no, origin, show, signIn, yes } from "../kit/help";
import { network } from "../kit/network";
import { browserKept } from "./browserKept";
import { proof } from "./monthProof";

/** The published example, which the ledger's test reads too. */
const example = JSON.parse(readFileSync("../ledger/domain/sampling/testdata/statement.json", "utf8")) as {
  text: string;
  signature: string;
  device: string;
  proof: string;
  positions: string;
};
const KEY = "1092530ac6496ca8559848d9d3819e8c52656c4215bf9d41ac3dcd3b976f9252";
const BY = "01900000-0000-7000-8000-0000000000ee";

const said = {
  by: BY,
  byName: "Vera Obi",
  position: 1205000,
  validated: 70,
  queried: 1,
  resolved: 0,
  unreviewed: 1133,
  takenBack: 0,
  drawnQueried: 1,
  alwaysQueried: 0,
};

const { byName: _, ...signedValues } = said; // A name is not signed: the id is.

const published = (await proof()) satisfies MonthDraw;
const exampled: MonthDraw = {
  ...published,
  id: "01900000-0000-7000-8000-000000000001",
  month: "2026-10",
  digest: "ab".repeat(32),
  position: 1204000,
  positions: Array.from({ length: 1204 }, (_, at) => at + 1),
  always: [3],
  marginPercent: 5,
  round: 33800000,
  sample: example.positions.split(",").map(Number),
  attestation: { ...said, publicKey: KEY, device: "PHONE", signature: example.signature },
};

describe("what is attested of a month", () => {
  it("is the statement that the ledger makes, to the letter", async () => {
    expect(await statementOf(exampled, KEY)).toBe(example.text);
    expect(keyStatement(BY, KEY, "PHONE")).toBe(example.device);
    expect(await isAttested(exampled)).toBe(true);
    const [signature, key] = [fromHex(example.proof), fromHex(KEY)];
    expect(signature && key && (await isSigned(fromText(example.device), signature, key))).toBe(true);
  });

  it.each<[string, Partial<MonthDraw>]>([
    ["another group", { id: BY }],
    ["an ajo", { ajo: true }],
    ["another month", { month: "2026-11" }],
    ["another list", { digest: "ac".repeat(32) }],
    ["another end of the list", { position: 1204001 }],
    ["fewer payments", { positions: exampled.positions.slice(1) }],
    ["another round", { round: 33800001 }],
    ["another chain", { beacon: { ...exampled.beacon, chainHash: "00" } }],
    ["another margin", { marginPercent: 2 }],
    ["another sample", { sample: [3, 10, 11] }],
    ["more that is looked at in any case", { always: [3, 10] }],
    ...Object.entries(signedValues).map(([name, value]): [string, Partial<MonthDraw>] => [
      `another ${name}`,
      { attestation: { ...exampled.attestation, ...said, [name]: typeof value === "number" ? value + 1 : ada.id } },
    ]),
    ["no signature", { attestation: { ...said, publicKey: KEY, device: "PHONE" } }],
    ["another key", { attestation: { ...said, publicKey: KEY.replace("1", "2"), signature: example.signature } }],
    ["a changed byte", { attestation: { ...said, publicKey: KEY, signature: example.signature.replace("8", "9") } }],
    ["nothing", { attestation: undefined }],
  ])("is not signed for %s", async (name, change) => {
    expect(await isAttested({ ...exampled, ...change }), name).toBe(false);
  });

  it("is a step of the proof that every member checks", async () => {
    const steps = await checkMonth(exampled);
    expect(steps.at(-1)).toMatchObject({ name: "Who signed it", ok: true });
    expect(steps.at(-1)?.says).toContain("Vera Obi’s phone, with key 1092 530a c649 6ca8, signed what is attested");
    const changed = await checkMonth({ ...exampled, attestation: { ...exampled.attestation, ...said, validated: 71 } });
    expect(changed.at(-1)).toMatchObject({ name: "Who signed it", ok: false });
    expect((await checkMonth(published)).map(({ name }) => name)).not.toContain("Who signed it");
  });
});

const drawn: ClosedMonth = {
  month: published.month,
  label: "October 2026",
  status: "DRAWN",
  namedByName: "Ada Obi",
  namedAt: published.namedAt,
  round: published.round,
  drawAt: published.drawAt,
  test: false,
  marginPercent: 5,
  left: 0,
  sample: published.sample.length,
};

const group: Shown = {
  id: published.id,
  kind: "GROUP",
  name: "Balogun Traders",
  mayClose: true,
  showsFigures: true,
  toClose: [],
  months: [drawn],
};

/** The product, with a ledger of keys and a month that waits for Ada. */
function product({ refusesOnce = false } = {}) {
  const its = {
    keys: [] as AttestKey[],
    registered: [] as AttestKeyRequest[],
    sent: [] as AttestMonthRequest[],
    draw: { ...published, attestation: { ...said, by: ada.id } } as MonthDraw,
  };
  let refuse = refusesOnce;
  const path = `${origin}/api/v1/months/${published.id}`;
  network.use(
    http.get(path, () => yes(group)),
    http.get(`${path}/draw`, () => yes(its.draw)),
    http.get(`${origin}/api/v1/attest/keys`, () => yes({ keys: its.keys })),
    http.post(`${origin}/api/v1/attest/keys`, async ({ request }) => {
      const form = (await request.json()) as AttestKeyRequest;
      its.registered.push(form);
      const { publicKey, device } = form;
      its.keys.push({ publicKey, device, since: "2026-11-25T08:00:00Z", revoked: false });
      return yes({ keys: its.keys });
    }),
    http.post(`${path}/attest`, async ({ request }) => {
      const form = (await request.json()) as AttestMonthRequest;
      its.sent.push(form);
      if (refuse) {
        refuse = false;
        its.draw = { ...its.draw, attestation: { ...said, by: ada.id, validated: 69, queried: 2, position: 1205007 } };
        return no(409, "Something has changed since you looked. Look again, then sign.", "CONFLICT");
      }
      const { publicKey } = form;
      const done = { ...drawn, status: "ATTESTED" as const, attestedAt: drawn.drawAt, attestedByName: "Ada Obi" };
      return yes(
        { ...group, months: [{ ...done, signedDevice: "PHONE", signedKey: publicKey }] },
        "The month is closed.",
      );
    }),
  );
  return its;
}

function opens() {
  show(
    <Routes>
      <Route path="/months/:id" element={<Months />} />
    </Routes>,
    `/months/${published.id}`,
  );
}

const closes = async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Close October 2026" }));
  const sign = await screen.findByRole("button", { name: "Sign and close" });
  await waitFor(() => expect(sign.hasAttribute("disabled")).toBe(false));
  return sign;
};

/** Whether what was sent is signed by its key, over how the month stood. */
const isRight = (form: AttestMonthRequest, draw: MonthDraw) =>
  isAttested({ ...draw, attestation: { ...(draw.attestation ?? said), ...form } });

describe("a device that signs what somebody attests", () => {
  beforeEach(() => {
    signIn();
    browserKept();
  });

  it("makes a key and registers it in the same flow, once; two taps but for the password", async () => {
    const its = product();
    opens();
    const sign = await closes();
    screen.getByText("70 validated, 1 queried, 0 resolved");
    screen.getByText(/We ask for your password first/);
    await userEvent.click(sign);
    await screen.findByText("Ada Obi’s phone", { exact: false });
    const [key, form] = [its.registered[0], its.sent[0]];
    if (!key || !form) throw new Error("nothing was sent");
    expect(its.sent).toHaveLength(1);
    expect([form.position, form.publicKey]).toEqual([1205000, key.publicKey]);
    expect(await isRight(form, its.draw)).toBe(true);
    const text = fromText(keyStatement(ada.id, key.publicKey, key.device));
    const [signature, raw] = [fromHex(key.signature), fromHex(key.publicKey)];
    expect(signature && raw && (await isSigned(text, signature, raw))).toBe(true);
  });

  it("signs anew what changed since it was shown, once that was looked at", async () => {
    const its = product({ refusesOnce: true });
    opens();
    await userEvent.click(await closes());
    await screen.findByText("69 validated, 2 queried, 0 resolved");
    expect(screen.queryByText(/We ask for your password first/)).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Sign and close" }));
    await screen.findByText("Ada Obi’s phone", { exact: false });
    expect(its.registered).toHaveLength(1);
    expect(its.sent.map(({ position }) => position)).toEqual([1205000, 1205007]);
    expect(await isRight(its.sent[1] as AttestMonthRequest, its.draw)).toBe(true);
  });

  it("makes another key once its own was turned off", async () => {
    const its = product({ refusesOnce: true });
    opens();
    await userEvent.click(await closes());
    await screen.findByText("69 validated, 2 queried, 0 resolved");
    its.keys = its.keys.map((key) => ({ ...key, revoked: true }));
    await userEvent.click(await screen.findByRole("button", { name: "Sign and close" }));
    await screen.findByText("Ada Obi’s phone", { exact: false });
    expect(new Set(its.registered.map(({ publicKey }) => publicKey)).size).toBe(2);
  });

  it("signs nothing where the sample does not follow from the list and the round", async () => {
    const its = product();
    its.draw = { ...its.draw, sample: its.draw.sample.slice(1) };
    opens();
    await userEvent.click(await screen.findByRole("button", { name: "Close October 2026" }));
    await screen.findByText(/Do not sign: the draw is not right/);
    expect(screen.getByRole("button", { name: "Sign and close" }).hasAttribute("disabled")).toBe(true);
    expect(its.registered).toEqual([]);
  });

  it("signs nothing in another's name", async () => {
    const its = product();
    its.draw = { ...its.draw, attestation: said };
    opens();
    await userEvent.click(await screen.findByRole("button", { name: "Close October 2026" }));
    await screen.findByText(/This month has changed/);
    expect(screen.getByRole("button", { name: "Sign and close" }).hasAttribute("disabled")).toBe(true);
  });

  it("says what to do where the browser has no such keys", async () => {
    const its = product();
    const none = vi.spyOn(crypto.subtle, "generateKey").mockRejectedValue(new DOMException("no", "NotSupportedError"));
    opens();
    await userEvent.click(await closes());
    await screen.findByText(/lacks Ed25519 keys.*close the month on another device/);
    expect(its.registered).toEqual([]);
    expect(its.sent).toEqual([]);
    none.mockRestore();
  });

  it("is listed with its key, and turned off", async () => {
    const its = product();
    its.keys = [{ publicKey: KEY, device: "TABLET", since: "2026-11-25T08:00:00Z", revoked: false }];
    const off: unknown[] = [];
    network.use(
      http.post(`${origin}/api/v1/attest/keys/revoke`, async ({ request }) => {
        off.push(await request.json());
        return yes({ keys: its.keys.map((key) => ({ ...key, revoked: true })) }, "That device does not sign any more.");
      }),
    );
    show(<SigningDevices />);
    await screen.findByText("1092 530a c649 6ca8");
    await userEvent.click(screen.getByRole("button", { name: "Turn off the tablet with key 1092 530a c649 6ca8" }));
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    await waitFor(() => expect(screen.queryByText("Devices that sign for you")).toBeNull());
    expect(off).toEqual([{ publicKey: KEY }]);
  });

  it.each([
    ["PHONE", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Mobile/15E148", 5],
    ["PHONE", "Mozilla/5.0 (Linux; Android 14) Chrome/126 Mobile Safari/537.36", 5],
    ["TABLET", "Mozilla/5.0 (Linux; Android 14; SM-X200) Chrome/126 Safari/537.36", 5],
    ["TABLET", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605", 5],
    ["COMPUTER", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605", 0],
    ["COMPUTER", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140", 0],
  ])("is a %s by its browser's word", (kind, userAgent, maxTouchPoints) => {
    expect(deviceKind({ userAgent, maxTouchPoints } as Navigator)).toBe(kind);
  });
});
