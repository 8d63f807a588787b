// Checks what the page carries by the rules of check.go, and shows it. Everything that is shown of an event is read
// from its record's bytes. Nothing is fetched: the page's policy forbids it.

const utf8 = new TextDecoder("utf-8");
// Base64 as it is written: other letters for the same bytes are refused.
function fromBase64(text) {
  const letters = atob(text);
  must(btoa(letters) === text, "something is not base64");
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
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

// A C2SP signed note's text, and which of the given keys signed it. It has no other signatures.
async function openNote(note, keys, called) {
  const cut = note.lastIndexOf("\n\n");
  const text = note.slice(0, cut + 1);
  const lines = note.slice(cut + 2).split("\n");
  must(cut > 0 && lines.length > 1 && lines.at(-1) === "", `${called} is not signed`);
  const signers = [];
  for (const line of lines.slice(0, -1)) signers.push(await signerOf(line, text, keys, called));
  must(new Set(signers).size === signers.length, `the signature of ${called} is there twice`);
  return { text, signers };
}

// Whose of the given keys a line of a note's signatures is.
async function signerOf(line, text, keys, called) {
  for (const key of keys) {
    const { name, hash, bytes } = await readKey(key, 1, "a public key in the file is not one");
    if (!line.startsWith(`— ${name} `)) continue;
    const signature = fromBase64(line.slice(`— ${name} `.length));
    if (toHex(signature.slice(0, 4)) !== hash) continue;
    const isRight = await isSignedBy(bytes, new TextEncoder().encode(text), signature.slice(4));
    must(isRight && text.startsWith(`${name}/e`), `the signature of ${called} is wrong`);
    return key;
  }
  throw new Wrong(`none of the public keys in the file signed ${called}`);
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

// Whether a path leads from a leaf to the root. Above a node that was proven before, only its siblings are compared.
async function leadsTo(checkpoint, leaf, index, path, proven) {
  const passed = [];
  let [node, at, last, level, isKnown] = [leaf, index, checkpoint.size - 1, 0, false];
  for (const other of path) {
    if (last === 0) return false;
    const place = `${level}:${at}`;
    const known = proven.get(place);
    if (known) {
      if (!equal(known.beside, other) || !(isKnown || equal(known.node, node))) return false;
      isKnown = true;
    } else passed.push([place, { node, beside: other }]);
    const isRight = at % 2 === 1 || at === last;
    if (!isKnown) node = await sha256(isRight ? join(Uint8Array.of(1), other, node) : join(Uint8Array.of(1), node, other));
    if (isRight) for (; at % 2 === 0 && at !== 0; level++) [at, last] = [half(at), half(last)];
    [at, last, level] = [half(at), half(last), level + 1];
  }
  return keep(passed, proven, last === 0 && (isKnown || equal(node, checkpoint.root)));
}

function keep(passed, proven, holds) {
  if (holds) for (const [place, node] of passed) proven.set(place, node);
  return holds;
}

// The hashes of the file: each is there once, and something names it.
function readHashes(b) {
  const hashes = b.hashes.map(fromBase64);
  must(hashes.every((hash) => hash.length === 32), "one of its hashes is not the base64 of 32 bytes");
  const named = new Set();
  const path = (places, called) =>
    places.map((place) => {
      must(hashes[place], `${called} names a hash that is not here`);
      named.add(place);
      return hashes[place];
    });
  return { path, isNeeded: () => named.size === hashes.length && new Set(b.hashes).size === hashes.length };
}

async function isSealed(pos, leaf, path, checkpoint, hashes, proven) {
  const given = hashes.path(path, `the path of position ${pos}`);
  const isUnder = Number.isSafeInteger(pos) && pos >= 1 && pos <= checkpoint.size;
  const holds = isUnder && (await leadsTo(checkpoint, leaf, pos - 1, given, proven));
  must(holds, `the record at position ${pos} is not the one that was sealed`);
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
  await isSealed(r.pos, await sha256(join(Uint8Array.of(0), bytes)), path, checkpoint, hashes, proven);
  return r;
}

async function checkRecords(b, checkpoint, hashes, proven) {
  const records = [];
  for (const [n, event] of b.events.entries()) {
    const r = await checkRecord(event, `event ${n + 1}`, checkpoint, hashes, proven);
    must(n === 0 || r.pos > records[n - 1].pos, `position ${r.pos} is not in its place`);
    records.push(r);
  }
  return records;
}

// What is said of hidden events. Those with a leaf are in the tree where they say.
async function readHidden(b, checkpoint, hashes, proven) {
  const read = [];
  for (const [n, { position, leaf, path, stream = "", version = 0, lines = [] }] of b.hidden.entries()) {
    must(n === 0 || position > b.hidden[n - 1].position, `position ${position} is not in its place`);
    must((leaf === undefined) === (path === undefined), `the path of position ${position} leads from no leaf`);
    if (leaf !== undefined) await isSealed(position, fromBase64(leaf), path, checkpoint, hashes, proven);
    const amounts = lines.map((l) => ({ account: l.account, amount: BigInt(l.amount), balance: BigInt(l.balance) }));
    read.push({ pos: position, stream, version, hidden: true, sealed: leaf !== undefined, lines: amounts });
  }
  return read;
}

// The events, and those that are hidden, by their positions.
function inOrder(records, hidden, checkpoint) {
  const all = [...records, ...hidden].sort((x, y) => x.pos - y.pos);
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

// Whom a record names as its user; undefined for nobody.
function userOf({ type, body }) {
  const field = TABLES.users[type.replace(/^naira\.v1\./, "")];
  return field === undefined ? undefined : textOf(fieldsOf(body).get(field));
}

const textOf = (bytes) => (bytes === undefined ? "" : utf8.decode(bytes));

function checkStreams(b, all) {
  const next = new Map();
  for (const { name, from } of b.streams) {
    const begins = !next.has(name) && (from === 1 || (from > 1 && b.earlier));
    must(begins, `the stream ${name} does not begin at version 1`);
    next.set(name, from);
  }
  for (const e of all) {
    const { pos, stream, version, lines } = e;
    const wanted = next.get(stream);
    if (wanted !== undefined) {
      must(version === wanted, `version ${wanted} of the stream ${stream} is missing before position ${pos}`);
      next.set(stream, wanted + 1);
      continue;
    }
    must(!e.hidden || (stream === "" && version === 0), `the hidden event at position ${pos} is of a stream that is not told`);
    const isTheirs = lines.some(({ account }) => owns(b.member, account)) || isRelated(b, e);
    must(isTheirs, `position ${pos} is of no stream and no account that is told whole`);
  }
  for (const { name, from, to } of b.streams) {
    must(to >= from && next.get(name) === to + 1, `version ${next.get(name)} of the stream ${name} is missing at its end`);
  }
}

// That each stream is the member's: by its name, or else by the user whom its records name.
function checkOwn(b, all) {
  const [given, own, told] = [new Set(), new Set(), new Set(b.streams.map(({ name }) => name))];
  const isNamed = (category, id) => TABLES.ofMember.includes(category) && (id === b.member || id.endsWith(`:${b.member}`));
  const cut = (stream) => [stream.split(":", 1)[0], stream.slice(stream.indexOf(":") + 1)];
  for (const r of all.filter(({ hidden }) => !hidden)) {
    const [category, id] = cut(r.stream);
    const user = userOf(r);
    given.add(r.stream);
    const isByUser = TABLES.byUser.includes(category);
    must(!isByUser || user === undefined || user === b.member, `the record at position ${r.pos} is another member's`);
    if (!isNamed(category, id) && !(isByUser && user === b.member)) continue;
    own.add(r.stream);
    must(told.has(r.stream), `the stream ${r.stream} is the member's, and is not told whole`);
  }
  for (const { name } of b.streams) {
    const [category, id] = cut(name);
    const isUnseen = !given.has(name) && (TABLES.byUser.includes(category) || isNamed(category, id));
    must(own.has(name) || isUnseen, `the stream ${name} is not the member's`);
  }
}

// That streams are told which others could not be without.
function checkImplied(b, all) {
  if (b.earlier) return;
  const needed = new Set([`disputes:${b.member}`]);
  for (const r of all) {
    const field = TABLES.groups[r.type?.replace(/^naira\.v1\./, "")];
    if (!r.hidden && field !== undefined && r.stream.startsWith("dues:")) needed.add(`member:${textOf(fieldsOf(r.body).get(field))}:${b.member}`);
  }
  for (const { name } of b.streams) needed.delete(name);
  for (const name of needed) throw new Wrong(`the stream ${name} is missing, and events that are here need it`);
}

// Why events before the first one are not here; undefined where none were left out.
function leftOut(b) {
  if (!b.earlier) return undefined;
  return b.events.length + b.hidden.length === TABLES.eventsMost ? "FULL" : "LOOKED";
}

function checkAccounts(b, all) {
  const now = new Map();
  for (const { name, lines, opening } of b.accounts) {
    const begins = !now.has(name) && owns(b.member, name) && (opening === 0 || b.earlier) && lines > 0;
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

async function checkAnchor(b, checkpoint, all, hashes) {
  if (!b.anchor) return undefined;
  const { counted, owed } = b.anchor;
  must(owed.receipt === undefined, "what was counted as owed has a receipt that nobody looks at");
  const r = await checkRecord(counted, "what was counted as owed", checkpoint, hashes, new Map());
  must(r.type === "naira.v1.LiabilitiesCommitted", `the record at position ${r.pos} does not say what was counted as owed`);
  const fields = fieldsOf(r.body);
  const said = { position: Number(fields.get(2) ?? 0), root: fields.get(3), sum: fields.get(4) ?? 0n, leaves: Number(fields.get(5) ?? 0) };
  const same =
    utf8.decode(fields.get(1)) === owed.id && said.position === owed.position && said.sum === whole(owed.sum) && said.leaves === owed.leaves;
  must(owed.version === 1 && same && said.position <= r.pos && said.leaves >= 256, `the record at position ${r.pos} counted something else`);
  must(toHex(said.root) === owed.root, `the record at position ${r.pos} counted something else`);
  const amounts = await checkOwed(owed, said);
  const from = (all.find((e) => !isOfDispute(b, e)) ?? all[0]).pos;
  must(!b.earlier || said.position >= from, "what was owed was counted before what is told here");
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

// Whether lists that have no order of their own are as Adashi writes them.
function isInOrder(b) {
  const isSorted = (list, before) => list.every((one, n) => n === 0 || !before(one, list[n - 1]));
  const isEarlier = (x, y) => (x.by === y.by ? x.key < y.key : x.by > y.by);
  const owed = b.anchor?.owed.accounts ?? [];
  return (
    isSorted(b.streams, (x, y) => x.name < y.name) &&
    isSorted(b.accounts, (x, y) => x.name < y.name) &&
    isSorted(b.seen?.proofs ?? [], (x, y) => x.size < y.size) &&
    isSorted(b.seen?.witnesses ?? [], isEarlier) &&
    isSorted(owed, (x, y) => x.account < y.account) &&
    owed.every(({ parts }) => isSorted(parts, (x, y) => x.index < y.index))
  );
}

async function check(b) {
  must(b.format === "adashi evidence v4", "its format is not known");
  must(Object.keys(b.names).length === 0 && b.madeAt === undefined, "it says names or a time that its format does not have");
  const events = b.events.length + b.hidden.length;
  must(events > 0 && events <= TABLES.eventsMost, "it has no events, or too many");
  const signed = new Set();
  const checkpoint = await readCheckpoint(b.checkpoint, b.keys, "the checkpoint");
  const [hashes, proven] = [readHashes(b), new Map()];
  const records = await checkRecords(b, checkpoint, hashes, proven);
  const all = inOrder(records, await readHidden(b, checkpoint, hashes, proven), checkpoint);
  must(leftOut(b) !== "LOOKED" || checkpoint.size >= TABLES.lookedMost, "it leaves earlier events out, and has room for them");
  checkStreams(b, all);
  checkOwn(b, all);
  checkImplied(b, all);
  checkAccounts(b, all);
  const anchor = await checkAnchor(b, checkpoint, all, hashes);
  await checkDispute(b, all);
  const seen = await checkSeen(b, checkpoint, all, hashes);
  for (const signers of [checkpoint.signers, seen.phone?.signers ?? [], seen.phone?.givenUp?.signers ?? []]) for (const key of signers) signed.add(key);
  must(hashes.isNeeded(), "it has a hash that nothing needs, or one that is there twice");
  must(isInOrder(b), "its lists are not in order");
  must(signed.size === b.keys.length, "it has a public key that signed nothing");
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
    if (/^(disputes?|disputed|correction|cardanswer):/.test(stream)) return "Support";
    if (!others.includes(actor)) others.push(actor);
    return `Member ${others.indexOf(actor) + 1}`;
  };
}

const BY = { MEMBER: "You", SUPPORT: "Support", CLOCK: "The clock", BANK: "The bank of your card" };

function showStep(s) {
  if (s.kind === "HIDDEN") return element("li", [element("strong", "Hidden"), ` · a step of the dispute, at position ${s.position}`]);
  return element("li", [
    element("strong", spaced(s.kind.toLowerCase().replace(/_/g, " "))),
    ` · ${BY[s.by] ?? s.by} · ${moment(s.at)}`,
    ...(s.words ? [element("blockquote", s.words)] : []),
    ...(s.gone ? [element("p", "What was written here is no longer kept.", "small")] : []),
    ...(s.sha256 && !s.words ? [element("p", `SHA-256 of what is not in this file: ${s.sha256}`, "small")] : []),
  ]);
}

function showDispute({ dispute: d }) {
  const steps = d.steps.map(showStep);
  const rows = [["Number", d.number], ...(d.title ? [["About", d.title]] : []), ["Stands", spaced(d.status.toLowerCase().replace(/_/g, " "))]];
  if (d.openedAt !== NEVER) rows.push(["Opened", moment(d.openedAt)]);
  if (d.endedAt) rows.push(["Ended", moment(d.endedAt)]);
  else if (d.decideBy !== NEVER) rows.push(["To be decided by", moment(d.decideBy)]);
  document.getElementById("dispute").append(element("h2", "The dispute"), list(rows), element("ol", steps));
}

function showProof(b, checkpoint, anchor, seen, all) {
  const n = b.events.length;
  const proven = [
    `Each event, ${n} in all, is, byte for byte, in the ledger ${checkpoint.origin} that was signed at ${checkpoint.size} records.`,
    `${count(b.streams.length, "list")} of yours told without a gap, and ${count(b.accounts.length, "account")} movement by movement.`,
    "Where the dispute stands, its dates and its steps follow from its events, and what was written is what the ledger has the fingerprint of.",
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
    "That no whole list of yours was left out: a list that is not here leaves no gap. Only what moved your accounts, the list of your disputes, and your membership where you paid dues have to be here.",
    "That nobody else signed what they saw of the ledger: a witness can be left out.",
    "That the dispute's correction and the answer to a card's bank had no other steps: those are not lists of yours.",
    "What accounts and lists are called here: the words are made from their names in the ledger.",
    "That the key is the ledger's: compare it with the one that Adashi publishes. Whoever changes a page can change its script too. " +
      "The command adashi ledger evidence verify trusts only the keys that you give it.",
  ];
  if (b.hidden.some(({ leaf }) => leaf === undefined)) {
    open.unshift("Where those hidden events stand that were recorded by an older version: of them not even the place is proven.");
  }
  if (b.dispute.steps.some(({ kind }) => kind === "HIDDEN")) {
    open.unshift("Where the dispute stands: a step of it is hidden, and so nothing is said of its state or its dates.");
  }
  if (b.hidden.length > 0) {
    open.unshift(
      `${count(b.hidden.length, "event")} hidden: their proof would tell what a sub-account holds whose total you may not see, or ` +
        "what another holds, or stands so close to such a one that it would help to guess it. They are counted. That something was " +
        "recorded there is proven where the event has random bytes; what it did to your own accounts is said, and fits those before and after it.",
    );
  }
  const first = (all.find((e) => !isOfDispute(b, e)) ?? all[0]).pos;
  if (leftOut(b) === "FULL") open.unshift(`Events before position ${first}: a file has room for ${digits(TABLES.eventsMost)}, and this one has the latest.`);
  if (leftOut(b) === "LOOKED") {
    open.unshift(`Events before position ${first}: Adashi says that it looked for yours among the latest ${digits(TABLES.lookedMost)} that name you, and no further.`);
  }
  document.getElementById("proves").append(
    element("h2", "What this proves"),
    element("ul", proven.map((text) => element("li", `✓ ${text}`))),
    element("h2", "What it does not prove"),
    element("ul", open.map((text) => element("li", `· ${text}`))),
    element("h2", "Signed by"),
    element("ul", checkpoint.signers.map((key) => element("li", element("code", key))), "keys"),
    element("p", "All times are those of Lagos.", "small"),
  );
}

function showAccounts(b) {
  if (b.accounts.length === 0) return;
  const rows = b.accounts.map(({ name, lines, opening, closing }) => {
    const amounts = [BigInt(opening), BigInt(closing)].map((kobo) => element("td", naira(kobo), "amount"));
    return element("tr", [element("td", inWords(b.member, name)), element("td", `${lines} ${lines === 1 ? "movement" : "movements"}`), ...amounts]);
  });
  document.getElementById("accounts").append(element("h2", "Your accounts, from their beginning to their end"), element("table", rows));
}

function line(b, { account, amount, balance }) {
  const own = owns(b.member, account);
  return element("tr", [
    element("td", `${amount < 0n ? "From" : "To"} ${inWords(b.member, account)}`),
    element("td", naira(amount < 0n ? -amount : amount), "amount"),
    element("td", own ? `then ${naira(balance)}` : "", "amount"),
  ]);
}

function showEvents(b, all) {
  const who = naming(b);
  const rows = all.map((e) => {
    const lines = e.lines.length > 0 ? [element("table", e.lines.map((l) => line(b, l)))] : [];
    const place = `${inWords(b.member, e.stream)}, version ${e.version} · position ${e.pos}`;
    const hidden = e.stream ? place : `position ${e.pos}`;
    if (e.hidden) return element("li", [element("strong", "Hidden"), element("p", hidden, "small"), ...lines]);
    const late = e.recorded - e.effective > 60_000_000n || e.effective - e.recorded > 60_000_000n;
    const when = `${moment(e.recorded)}${late ? `, counting from ${moment(e.effective)}` : ""}`;
    const title = spaced(e.type.replace(/^naira\.v1\./, ""));
    return element("li", [element("strong", title), ` · by ${who(e)} · ${when}`, element("p", place, "small"), ...lines]);
  });
  document.getElementById("events").append(element("h2", `The events, ${all.length}`), element("ol", rows));
}

// What the page carries, if it is written as Adashi writes it.
function readBundle(text) {
  const b = JSON.parse(text);
  const again = JSON.stringify(b).replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  must(again === text, "what it carries is not written as Adashi writes it");
  return b;
}

async function main() {
  const verdict = document.getElementById("verdict");
  const say = (className, text) => {
    verdict.className = className;
    verdict.textContent = text;
  };
  try {
    const b = readBundle(document.getElementById("evidence").textContent);
    const { checkpoint, all, anchor, seen } = await check(b);
    showDispute(b);
    showProof(b, checkpoint, anchor, seen, all);
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
