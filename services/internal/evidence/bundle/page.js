// Checks what the page carries by the rules of check.go, and shows it. Everything that is shown of an event is read from
// its record's bytes. Nothing is fetched: the page's policy forbids it.

const utf8 = new TextDecoder("utf-8");
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const equal = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const half = (whole) => Math.floor(whole / 2);

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

class Wrong extends Error {}
const must = (holds, text) => {
  if (!holds) throw new Wrong(text);
};

// A C2SP key, name+hash+base64, of a kind: 1 signs notes, 4 is a witness's.
async function readKey(text, kind, why) {
  const [name, hash, ...rest] = text.split("+");
  const typed = fromBase64(rest.join("+"));
  const sum = await sha256(join(new TextEncoder().encode(`${name}\n`), typed));
  must(typed.length === 33 && typed[0] === kind && toHex(sum.slice(0, 4)) === hash, why);
  return { name, hash, bytes: typed.slice(1) };
}

async function isSignedBy(bytes, message, signature) {
  const key = await crypto.subtle.importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, message);
}

// A C2SP signed note's text, and which of the given keys signed it.
async function openNote(note, keys, called) {
  const cut = note.lastIndexOf("\n\n");
  const text = note.slice(0, cut + 1);
  const signers = [];
  for (const key of keys) {
    const { name, hash, bytes } = await readKey(key, 1, "a public key in the file is not one");
    for (const line of note.slice(cut + 2).split("\n")) {
      if (!line.startsWith(`— ${name} `)) continue;
      const signature = fromBase64(line.slice(`— ${name} `.length));
      if (toHex(signature.slice(0, 4)) !== hash) continue;
      const isRight = await isSignedBy(bytes, new TextEncoder().encode(text), signature.slice(4));
      must(isRight && text.startsWith(`${name}/e`), `the signature of ${called} is wrong`);
      signers.push(key);
    }
  }
  must(cut > 0 && signers.length > 0, `none of the public keys in the file signed ${called}`);
  return { text, signers };
}

// A signed tree, and whose of the given keys signed it.
async function readCheckpoint(note, keys, called) {
  const { text, signers } = await openNote(note, keys, called);
  const tree = readTree(text);
  must(tree, `${called} is not origin, size and root`);
  return { ...tree, signers };
}

// A record as event.Record.Encode writes it.
function readRecord(bytes) {
  const domain = "adashi event v1\n";
  const view = new DataView(bytes.buffer);
  let at = domain.length;
  const take = (length) => {
    must(at + length <= bytes.length, "a record ends too early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const int = () => (take(8), view.getBigInt64(at - 8));
  const count = () => (take(4), view.getUint32(at - 4));
  const text = () => utf8.decode(take(count()));
  must(utf8.decode(bytes.subarray(0, at)) === domain, "it is not a recorded event");
  const r = { pos: Number(int()), version: Number(int()), seq: Number(int()), effective: int(), recorded: int() };
  take(32);
  for (const field of ["stream", "type", "actor", "correlation"]) r[field] = text();
  r.body = take(count());
  r.lines = Array.from({ length: Math.min(count(), bytes.length) }, () => ({ account: text(), amount: int(), balance: int() }));
  must(at === bytes.length, "a record does not end where it should");
  return r;
}

// The fields of a protobuf message: the last varint, or the last bytes, of each number.
function fieldsOf(body) {
  const fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; at < body.length; shift += 7n) {
      const byte = body[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < body.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    if (wire === 0) fields.set(tag >> 3, varint());
    else {
      const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4;
      fields.set(tag >> 3, body.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}

// Whether a path leads from a leaf to the root. Nodes that were proven before end it early.
async function leadsTo(checkpoint, leaf, index, path, proven) {
  const passed = [];
  let [node, at, last, level] = [leaf, index, checkpoint.size - 1, 0];
  for (const other of path) {
    if (last === 0) return false;
    const known = proven.get(`${level}:${at}`);
    if (known) return keep(passed, proven, equal(known, node));
    passed.push([`${level}:${at}`, node]);
    const isRight = at % 2 === 1;
    if (isRight || at === last) {
      node = await sha256(join(Uint8Array.of(1), other, node));
      for (; at % 2 === 0 && at !== 0; level++) [at, last] = [half(at), half(last)];
    } else node = await sha256(join(Uint8Array.of(1), node, other));
    [at, last, level] = [half(at), half(last), level + 1];
  }
  return keep(passed, proven, last === 0 && equal(node, checkpoint.root));
}

function keep(passed, proven, holds) {
  if (holds) for (const [place, node] of passed) proven.set(place, node);
  return holds;
}

async function checkRecord({ record, path }, called, checkpoint, hashes, proven) {
  let bytes;
  let r;
  try {
    bytes = fromBase64(record);
    r = readRecord(bytes);
  } catch {
    throw new Wrong(`${called} is not a recorded event`);
  }
  const given = path.map((place) => hashes[place]);
  const whole = given.every((hash) => hash?.length === 32) && r.pos >= 1 && r.pos <= checkpoint.size;
  const leaf = await sha256(join(Uint8Array.of(0), bytes));
  const holds = whole && (await leadsTo(checkpoint, leaf, r.pos - 1, given, proven));
  must(holds, `the record at position ${r.pos} is not the one that was sealed`);
  return r;
}

async function checkRecords(b, checkpoint) {
  const [records, proven, hashes] = [[], new Map(), b.hashes.map(fromBase64)];
  for (const [n, event] of b.events.entries()) {
    const r = await checkRecord(event, `event ${n + 1}`, checkpoint, hashes, proven);
    must(n === 0 || r.pos > records[n - 1].pos, `position ${r.pos} is not in its place`);
    records.push(r);
  }
  return records;
}

// The events, and what is said of those that are hidden, by their positions.
function inOrder(b, records, checkpoint) {
  const said = b.hidden.map(({ position, stream, version, lines = [] }) => ({
    pos: position,
    stream,
    version,
    hidden: true,
    lines: lines.map((l) => ({ account: l.account, amount: BigInt(l.amount), balance: BigInt(l.balance) })),
  }));
  const all = [...records, ...said].sort((x, y) => x.pos - y.pos);
  for (const [n, { pos }] of all.entries()) {
    must(n === 0 || pos !== all[n - 1].pos, `position ${pos} is there twice`);
    must(pos >= 1 && pos <= checkpoint.size, `position ${pos} is not under the checkpoint`);
  }
  return all;
}

function owns(member, account) {
  const [kind, ...id] = account.replace(/^held:/, "").split(":");
  return ((kind === "wallet" || kind === "owed") && id.join(":") === member) || (kind === "deposit" && id.at(-1) === member && id.length > 1);
}

function checkStreams(b, all) {
  const next = new Map();
  for (const { name, from } of b.streams) {
    const begins = !next.has(name) && (from === 1 || (from > 1 && b.earlier));
    must(begins, `the stream ${name} does not begin at version 1`);
    next.set(name, from);
  }
  for (const { pos, stream, version, lines } of all) {
    const wanted = next.get(stream);
    if (wanted !== undefined) {
      must(version === wanted, `version ${wanted} of the stream ${stream} is missing before position ${pos}`);
      next.set(stream, wanted + 1);
    } else {
      const moves = lines.some(({ account }) => owns(b.member, account));
      must(moves, `position ${pos} is of no stream and no account that is told whole`);
    }
  }
  for (const { name, to } of b.streams) {
    must(next.get(name) === to + 1, `version ${next.get(name)} of the stream ${name} is missing at its end`);
  }
}

function checkAccounts(b, all) {
  const now = new Map();
  for (const { name, opening } of b.accounts) {
    const begins = !now.has(name) && owns(b.member, name) && (opening === 0 || b.earlier);
    must(begins, `the account ${name} does not begin with nothing`);
    now.set(name, { balance: BigInt(opening), lines: 0 });
  }
  for (const { pos, lines } of all) {
    for (const { account, amount, balance } of lines) {
      const at = now.get(account);
      must(at || !owns(b.member, account), `the account ${account}, which position ${pos} moves, is not told`);
      if (!at) continue;
      must(balance === at.balance + amount, `a movement of the account ${account} is missing before position ${pos}`);
      now.set(account, { balance, lines: at.lines + 1 });
    }
  }
  for (const { name, lines, closing } of b.accounts) {
    const at = now.get(name);
    const ends = at.balance === BigInt(closing) && at.lines === lines;
    must(ends, `the account ${name} has ${at.lines} movements here and should have ${lines}: its end is missing`);
  }
}

// What was counted as owed: a Merkle-sum tree, whose nodes commit to the sum of each child. The rules are those of
// ledger/infra/proofs/liabilities.
const LARGEST = 2n ** 63n - 1n;
const LEAF = new TextEncoder().encode("adashi liabilities leaf v1\0");
const NODE = new TextEncoder().encode("adashi liabilities node v1\0");

function whole(kobo) {
  must(/^(0|[1-9]\d{0,18})$/.test(kobo) && BigInt(kobo) <= LARGEST, "what was counted as owed has an amount that is none");
  return BigInt(kobo);
}

function fromHex(text) {
  must(/^[0-9a-f]{64}$/.test(text), "what was counted as owed has a hash that is none");
  return Uint8Array.from(text.match(/../g), (byte) => Number.parseInt(byte, 16));
}

function eight(amount) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, amount);
  return bytes;
}

async function above(left, right) {
  const kobo = left.kobo + right.kobo;
  must(kobo <= LARGEST, "what was counted as owed is too much");
  return { hash: await sha256(join(NODE, eight(left.kobo), left.hash, eight(right.kobo), right.hash)), kobo };
}

async function toTheTop(account, { kobo, salt, index, path }, leaves) {
  must(Number.isSafeInteger(index) && index >= 0 && index < leaves && 2 ** path.length === leaves, "a part of what was counted as owed is in no tree");
  const own = whole(kobo);
  let node = { hash: await sha256(join(LEAF, fromHex(salt), eight(own), new TextEncoder().encode(account))), kobo: own };
  let at = index;
  for (const beside of path) {
    const other = { hash: fromHex(beside.hash), kobo: whole(beside.kobo) };
    node = at % 2 === 1 ? await above(other, node) : await above(node, other);
    at = half(at);
  }
  return node;
}

// What each account held when it was counted, held against the root and the sum that the ledger's record says.
async function checkOwed(owed, { root, sum, leaves }) {
  const [held, used] = [new Map(), new Set()];
  for (const { account, kobo, parts } of owed.accounts) {
    must(account !== "" && !held.has(account) && parts.length > 0, "what was counted as owed names an account twice");
    let own = 0n;
    for (const part of parts) {
      const top = await toTheTop(account, part, leaves);
      must(equal(top.hash, root) && top.kobo === sum, `what was counted as owed in ${account} is not what the ledger said`);
      must(!used.has(part.index), "a part of what was counted as owed is counted twice");
      used.add(part.index);
      own += whole(part.kobo);
    }
    must(own === whole(kobo), `the parts of ${account} are not what was counted as owed`);
    held.set(account, own);
  }
  must(held.size > 0, "what was counted as owed names no account");
  return held;
}

async function checkAnchor(b, checkpoint, all) {
  if (!b.anchor) return undefined;
  const { counted, owed } = b.anchor;
  const hashes = b.hashes.map(fromBase64);
  const r = await checkRecord(counted, "what was counted as owed", checkpoint, hashes, new Map());
  must(r.type === "naira.v1.LiabilitiesCommitted", `the record at position ${r.pos} does not say what was counted as owed`);
  const fields = fieldsOf(r.body);
  const said = { position: Number(fields.get(2) ?? 0), root: fields.get(3), sum: fields.get(4) ?? 0n, leaves: Number(fields.get(5) ?? 0) };
  const same =
    utf8.decode(fields.get(1)) === owed.id && said.position === owed.position && said.sum === whole(owed.sum) && said.leaves === owed.leaves;
  must(owed.version === 1 && same && said.position <= r.pos && said.leaves >= 256, `the record at position ${r.pos} counted something else`);
  must(toHex(said.root) === owed.root, `the record at position ${r.pos} counted something else`);
  const amounts = await checkOwed(owed, said);
  must(!b.earlier || said.position >= all[0].pos, "what was owed was counted before what is told here");
  const held = new Map(b.accounts.map(({ name, opening }) => [name, BigInt(opening)]));
  for (const { pos, lines } of all) {
    if (pos > said.position) break;
    for (const { account, balance } of lines) if (held.has(account)) held.set(account, balance);
  }
  for (const [account, kobo] of amounts) {
    const text = `the account ${account} did not hold at position ${said.position} what was counted as owed: a movement before it is missing`;
    must(held.get(account) === kobo, text);
  }
  for (const [account, kobo] of held) {
    const isCounted = kobo === 0n || amounts.has(account);
    must(isCounted, `what the account ${account} held at position ${said.position} is not in what was counted as owed`);
  }
  return { position: said.position, at: r.recorded, accounts: amounts.size };
}

// The kinds of disputes, by their numbers in the records.
const KINDS = ["", "NOT_CREDITED", "TWICE", "WRONG_AMOUNT", "WRONG_MONTH", "FINED_IN_TIME", "NOT_PAID_OUT", "NOT_ME", "TURN"];

async function checkDispute(b, records) {
  const stream = `dispute:${b.dispute.id}`;
  must(b.streams.some(({ name }) => name === stream), "the events of the dispute are not here");
  const own = new Map(records.filter((r) => r.stream === stream).map((r) => [r.pos, r]));
  for (const step of b.dispute.steps) {
    // Of the correction, or of the answer to a card's bank, whose events are not the member's.
    if (step.kind.startsWith("PLAN_") || step.kind.startsWith("CARD_")) continue;
    const r = own.get(step.position);
    must(r, `the step at position ${step.position} is not an event of the dispute`);
    const words = step.words ? toHex(await sha256(new TextEncoder().encode(step.words))) : step.sha256;
    const recorded = words === step.sha256 && toHex(r.body).includes(step.sha256 ?? "");
    must(recorded, `the words of the step at position ${r.pos} are not those that were recorded`);
    const fields = fieldsOf(r.body);
    if (r.type.endsWith(".DisputeOpened")) {
      const same = utf8.decode(fields.get(2)) === b.member && KINDS[Number(fields.get(3) ?? 0)] === b.dispute.kind;
      must(same, `the dispute at position ${r.pos} is another member's, or about something else`);
    }
    if (r.type.endsWith(".CardDisputeTold")) {
      const same = utf8.decode(fields.get(2)) === b.member && b.dispute.kind === "CARD";
      must(same, `the dispute at position ${r.pos} is another member's, or about something else`);
    }
    if (r.type.endsWith(".CardDisputeEnded")) {
      const same = (fields.get(5) === 1n) === (step.kind === "BANK_TOOK_BACK");
      must(same, `the outcome at position ${r.pos} is not the one that was recorded`);
    }
    if (r.type.endsWith(".DisputeResolved")) {
      const same = (fields.get(4) === 1n) === (step.kind === "RESOLVED_UPHELD");
      must(same, `the outcome at position ${r.pos} is not the one that was recorded`);
    }
    own.delete(step.position);
  }
  for (const pos of own.keys()) throw new Wrong(`the step at position ${pos} of the dispute is not told`);
}

async function check(b) {
  must(b.format === "adashi evidence v3", "its format is not known");
  must(b.events.length > 0 && b.events.length + b.hidden.length <= 2000, "it has no events, or too many");
  const checkpoint = await readCheckpoint(b.checkpoint, b.keys, "the checkpoint");
  const records = await checkRecords(b, checkpoint);
  const all = inOrder(b, records, checkpoint);
  checkStreams(b, all);
  checkAccounts(b, all);
  const anchor = await checkAnchor(b, checkpoint, all);
  await checkDispute(b, records);
  const seen = await checkSeen(b, checkpoint, all);
  return { checkpoint, all, anchor, seen };
}

// What is shown. Only text is put into the page, never markup.

function element(name, content, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...[content].flat());
  return made;
}

const lagos = new Intl.DateTimeFormat("en-NG", { dateStyle: "medium", timeStyle: "medium", timeZone: "Africa/Lagos" });
const moment = (time) => lagos.format(typeof time === "bigint" ? Number(time / 1000n) : new Date(time));
const naira = (kobo) => {
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, "0");
  return `${kobo < 0n ? "-" : ""}₦${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",")}.${digits.slice(-2)}`;
};
const spaced = (name) => {
  const words = name.replace(/V\d+$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const count = (n, what) => (n === 1 ? `1 ${what} is` : `${n} ${what}s are`);

function list(rows) {
  return element("dl", rows.flatMap(([name, fact]) => [element("dt", name), element("dd", fact)]));
}

// Others are members by the order in which they come up.
function naming(b) {
  const others = [];
  return ({ actor, stream }) => {
    if (actor === b.member) return "you";
    if (actor === "system" || actor === "") return "Adashi";
    if (/^disputes?:/.test(stream)) return "Support";
    if (!others.includes(actor)) others.push(actor);
    return `Member ${others.indexOf(actor) + 1}`;
  };
}

const BY = { MEMBER: "You", SUPPORT: "Support", CLOCK: "The clock", BANK: "The bank of your card" };

function showDispute({ dispute: d }) {
  const steps = d.steps.map((s) =>
    element("li", [
      element("strong", spaced(s.kind.toLowerCase().replace(/_/g, " "))),
      ` · ${BY[s.by] ?? s.by} · ${moment(s.at)}`,
      ...(s.words ? [element("blockquote", s.words)] : []),
      ...(s.sha256 && !s.words ? [element("p", `SHA-256 of what is not in this file: ${s.sha256}`, "small")] : []),
    ]),
  );
  const rows = [["Number", d.number], ["About", d.title], ["Stands", spaced(d.status.toLowerCase().replace(/_/g, " "))], ["Opened", moment(d.openedAt)]];
  rows.push(d.endedAt ? ["Ended", moment(d.endedAt)] : ["To be decided by", moment(d.decideBy)]);
  document.getElementById("dispute").append(element("h2", "The dispute"), list(rows), element("ol", steps));
}

function showProof(b, checkpoint, anchor, seen) {
  const n = b.events.length;
  const proven = [
    `Each event, ${n} in all, is, byte for byte, in the ledger ${checkpoint.origin} that was signed at ${checkpoint.size} records.`,
    `${count(b.streams.length, "list")} of yours told without a gap, and ${count(b.accounts.length, "account")} movement by movement.`,
    "What was written in the dispute is what the ledger has the fingerprint of, and so is its outcome.",
  ];
  if (anchor) {
    proven.push(
      `At position ${anchor.position}, counted ${moment(anchor.at)}, ${anchor.accounts === 1 ? "one account" : `${anchor.accounts} accounts`} of yours held what ` +
        "Adashi then said, in the ledger, that it owed: nothing before that changed what they hold was left out.",
    );
  }
  proven.push(...seenProves(seen));
  const since = anchor ? ` So it is of what moved your accounts after position ${anchor.position}; an account of nothing is in no count.` : "";
  const open = [
    `What was recorded after the last event of a list, or after the checkpoint: that lists end where they do is what Adashi says.${since}`,
    "That nobody saw another ledger: what was left out of this file leaves no gap in it. Each witness knows what it signed, and your device what it saw first.",
    "Names, titles and dates of the dispute's head: they are Adashi's words. Times and amounts of events are proven.",
    "That the key is the ledger's: compare it with the one that Adashi publishes. Whoever changes a page can change its script too. " +
      "The command adashi ledger evidence verify trusts only the keys that you give it.",
  ];
  if (b.hidden.length > 0) {
    open.unshift(
      `${count(b.hidden.length, "event")} hidden: their proof would tell what a sub-account holds whose total you may not see, or ` +
        "what another holds, or stands so close to such a one that it would help to guess it. They are counted, and what they " +
        "did to your own accounts is said, not proven.",
    );
  }
  if (b.earlier) open.unshift("Events before these: there are more than 2,000, and this file has the latest.");
  document.getElementById("proves").append(
    element("h2", "What this proves"),
    element("ul", proven.map((text) => element("li", `✓ ${text}`))),
    element("h2", "What it does not prove"),
    element("ul", open.map((text) => element("li", `· ${text}`))),
    element("h2", "Signed by"),
    element("ul", checkpoint.signers.map((key) => element("li", element("code", key))), "keys"),
    element("p", `Made ${moment(b.madeAt)}. All times are those of Lagos.`, "small"),
  );
}

function showAccounts(b) {
  if (b.accounts.length === 0) return;
  const rows = b.accounts.map(({ name, lines, opening, closing }) => {
    const amounts = [BigInt(opening), BigInt(closing)].map((kobo) => element("td", naira(kobo), "amount"));
    return element("tr", [element("td", b.names[name] ?? name), element("td", `${lines} ${lines === 1 ? "movement" : "movements"}`), ...amounts]);
  });
  document.getElementById("accounts").append(element("h2", "Your accounts, from their beginning to their end"), element("table", rows));
}

function line(b, { account, amount, balance }) {
  const own = owns(b.member, account);
  return element("tr", [
    element("td", `${amount < 0n ? "From" : "To"} ${b.names[account] ?? account}`),
    element("td", naira(amount < 0n ? -amount : amount), "amount"),
    element("td", own ? `then ${naira(balance)}` : "", "amount"),
  ]);
}

function showEvents(b, all) {
  const who = naming(b);
  const rows = all.map((e) => {
    const lines = e.lines.length > 0 ? [element("table", e.lines.map((l) => line(b, l)))] : [];
    const place = `${b.names[e.stream] ?? e.stream}, version ${e.version} · position ${e.pos}`;
    if (e.hidden) return element("li", [element("strong", "Hidden"), element("p", place, "small"), ...lines]);
    const late = e.recorded - e.effective > 60_000_000n || e.effective - e.recorded > 60_000_000n;
    const when = `${moment(e.recorded)}${late ? `, counting from ${moment(e.effective)}` : ""}`;
    const title = spaced(e.type.replace(/^naira\.v1\./, ""));
    return element("li", [element("strong", title), ` · by ${who(e)} · ${when}`, element("p", place, "small"), ...lines]);
  });
  document.getElementById("events").append(element("h2", `The events, ${all.length}`), element("ol", rows));
}

async function main() {
  const verdict = document.getElementById("verdict");
  const say = (className, text) => {
    verdict.className = className;
    verdict.textContent = text;
  };
  try {
    const b = JSON.parse(document.getElementById("evidence").textContent);
    const { checkpoint, all, anchor, seen } = await check(b);
    showDispute(b);
    showProof(b, checkpoint, anchor, seen);
    showSeen(b, seen, all);
    showAccounts(b);
    showEvents(b, all);
    say("good", "Everything verifies");
  } catch (error) {
    const isOld = error?.name === "NotSupportedError" || !globalThis.crypto?.subtle;
    const why = error instanceof Wrong ? error.message : "what it carries cannot be read";
    const isParted = why.endsWith("two histories");
    const todo = isParted ? ". Keep this file, and show it to the officials of your group and to an outside witness, not to Adashi alone." : "";
    say("bad", isOld ? "This browser cannot check signatures. Open the page in a newer one." : `Does not verify: ${why}${todo}`);
  }
}
