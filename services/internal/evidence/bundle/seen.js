// Who saw the ledger, by the rules of seen.go: witnesses, and the member's own device. The parts are in page.js.

const seconds = (signature) => new DataView(signature.buffer).getBigUint64(0);
// Beyond what is written as a date.
const LATEST = 1n << 40n;

// A tree's text: its origin, size and root, a line each; undefined where it is none.
function readTree(text) {
  const [origin, size, root = "", end, ...more] = text.split("\n");
  const [, ledger, epoch] = /^(.*)\/e(0|[1-9]\d*)$/.exec(origin) ?? [];
  if (epoch === undefined || !/^[1-9]\d*$/.test(size) || end !== "" || more.length > 0) return undefined;
  const bytes = fromBase64(root);
  if (bytes.length !== 32 || btoa(String.fromCharCode(...bytes)) !== root) return undefined;
  return { origin, ledger, epoch: Number(epoch), size: Number(size), root: bytes };
}

// RFC 9162, 2.1.4.2: whether a proof shows that a smaller tree only grew into another.
async function continues(older, newer, proof) {
  const isWhole = Number.isInteger(Math.log2(older.size));
  const [first, ...path] = isWhole ? [older.root, ...proof] : proof;
  if (!first) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  const up = () => {
    [at, last] = [half(at), half(last)];
  };
  while (at % 2 === 1) up();
  let [before, now] = [first, first];
  for (const other of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      before = await sha256(join(Uint8Array.of(1), other, before));
      now = await sha256(join(Uint8Array.of(1), other, now));
      while (at % 2 === 0 && at !== 0) up();
    } else now = await sha256(join(Uint8Array.of(1), now, other));
    up();
  }
  return last === 0 && equal(before, older.root) && equal(now, newer.root);
}

// The proofs between the page's tree and smaller ones, and which of them something needed.
function grownFrom(b, checkpoint, hashes) {
  const said = b.seen?.witnesses && b.seen.phone && b.seen.proofs && b.seen.withheld === undefined;
  must(said, "it does not say, as its format does, who has seen the ledger");
  const [leads, used] = [new Map(), new Set()];
  for (const { size, path } of b.seen.proofs) {
    const proof = hashes.path(path, `the proof from size ${size}`);
    must(!leads.has(size), `the proof from size ${size} is there twice`);
    leads.set(size, proof);
  }
  const isContinued = async (older) => {
    if (older.size >= checkpoint.size) return older.size === checkpoint.size && equal(older.root, checkpoint.root);
    used.add(older.size);
    return leads.has(older.size) && continues(older, checkpoint, leads.get(older.size));
  };
  const isOurs = ({ ledger, epoch }) => ledger === checkpoint.ledger && epoch <= checkpoint.epoch;
  return { leads, used, isContinued, isOurs };
}

// The ledger's statement that an epoch began.
async function readEpochStart(note, keys) {
  const { text, signers } = await openNote(note, keys, "the statement that records were given up");
  const [first, ...lines] = text.split("\n");
  must(first === `${signers[0].split("+")[0]}/epoch-start`, "the statement that records were given up is none");
  const values = new Map(lines.map((line) => [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1)]));
  const number = (name) => Number.parseInt(values.get(name), 10);
  return { epoch: number("epoch"), from: number("from"), at: values.get("at"), reason: values.get("reason"), signers };
}

async function checkPhone(b, checkpoint, { isContinued, isOurs }) {
  const { note, givenUp, withheld } = b.seen.phone;
  must(typeof note === "string", "it does not say, as its format does, who has seen the ledger");
  if (!note && !givenUp && !withheld) return undefined;
  const first = await readCheckpoint(note, b.keys, "what the member's device saw first");
  must(isOurs(first), "what the member's device saw first is of another ledger");
  const isHidden = !withheld || (!givenUp && first.size < checkpoint.size);
  must(isHidden, "what proves that the ledger continues what the member's device saw first is not hidden");
  if (givenUp) {
    const start = await readEpochStart(givenUp, b.keys);
    const isGone = start.epoch > first.epoch && start.epoch <= checkpoint.epoch && start.from < first.size;
    must(isGone, "that what the member's device saw first was given up is not what the ledger's key signed");
    return { ...first, givenUp: start };
  }
  if (withheld) return { ...first, withheld };
  const why = `the ledger does not continue what the member's device saw first, of size ${first.size}: there are two histories`;
  must(await isContinued(first), why);
  return first;
}

const WITNESSES = {
  OUTSIDER: "Outside witness",
  DEVICE: "A member's device",
};

const called = (key) => (key.includes("+") ? `witness ${key.split("+")[0]}` : `device ${key.slice(0, 8)}`);

async function witnessKey(by, key) {
  const why = `${called(key)} has a key that is none`;
  must(Object.hasOwn(WITNESSES, by) && (by === "OUTSIDER") === key.includes("+"), why);
  if (by === "OUTSIDER") return (await readKey(key, 4, why)).bytes;
  must(/^[0-9a-f]{64}$/.test(key), why);
  return Uint8Array.from(key.match(/../g), (byte) => Number.parseInt(byte, 16));
}

async function checkWitness({ by, key, checkpoint: text, signature }, all, { isContinued, isOurs }) {
  const bytes = await witnessKey(by, key);
  const tree = readTree(text);
  must(tree && isOurs(tree), `${called(key)} signed what is no checkpoint of this ledger`);
  const blob = fromBase64(signature);
  const at = blob.length === 72 ? seconds(blob) : 0n;
  const message = new TextEncoder().encode(`cosignature/v1\ntime ${at}\n${text}`);
  const isRight = at > 0n && at <= LATEST && (await isSignedBy(bytes, message, blob.slice(8)));
  must(isRight, `the signature of ${called(key)} is wrong`);
  const why = `${called(key)} signed a tree of size ${tree.size} that this ledger does not continue: there are two histories`;
  must(await isContinued(tree), why);
  const covers = all.filter(({ pos }) => pos <= tree.size).length;
  must(covers > 0, `${called(key)} signed before anything that is told here`);
  return { by, key, id: toHex(bytes), size: tree.size, at: Number(at) * 1000, covers };
}

async function checkSeen(b, checkpoint, all, hashes) {
  const grown = grownFrom(b, checkpoint, hashes);
  const phone = await checkPhone(b, checkpoint, grown);
  const witnesses = [];
  for (const one of b.seen.witnesses) {
    const witness = await checkWitness(one, all, grown);
    const isTwice = witnesses.some(({ id }) => id === witness.id);
    must(!isTwice, `${called(one.key)} is there twice`);
    witnesses.push(witness);
  }
  for (const size of grown.leads.keys()) must(grown.used.has(size), `the proof from size ${size} is of nothing that anybody saw`);
  return { witnesses, phone };
}

// What is shown.

const digits = (n) => n.toLocaleString("en-NG");
const ofRecords = (n) => `${digits(n)} ${n === 1 ? "record" : "records"}`;

// What is proven of those who saw the ledger, in a sentence each.
function seenProves({ witnesses, phone }) {
  const n = witnesses.length;
  const proven = n > 0 ? [`The ledger is the one that ${n === 1 ? "1 witness" : `${n} witnesses`} saw and signed, and has only grown since.`] : [];
  if (phone && !phone.givenUp && !phone.withheld) proven.push("The ledger continues what your device saw first.");
  return proven;
}

function showWitness({ by, key, size, at, covers }, events) {
  const isAll = covers === events;
  const reach = isAll ? `All ${digits(events)} events here` : `${digits(covers)} of the ${digits(events)} events here`;
  const name = by === "OUTSIDER" ? key.split("+")[0] : WITNESSES[by];
  const rows = [["Signed", moment(at)], ["Saw", `${ofRecords(size)}. ${reach} stand among them.`], ["Key", element("code", key)]];
  const head = [element("strong", name), ...(by === "OUTSIDER" ? [element("span", WITNESSES[by], "tag")] : [])];
  return element("li", [element("p", head), list(rows)]);
}

function showWitnesses({ witnesses }, events) {
  const n = witnesses.length;
  const title = n > 0 ? `Seen by ${n} ${n === 1 ? "witness" : "witnesses"}` : "Seen by no witness yet";
  const text =
    n > 0
      ? `${n === 1 ? "It" : "Each"} looked at the ledger for itself and signed what it saw. ${n === 1 ? "The" : "Every"} signature is right, and the ledger of this file continues what was signed.`
      : "Nobody but Adashi has signed what the ledger held at any of these events. That is no error: witnesses sign when they look.";
  const parts = [element("h2", title), element("p", text)];
  if (n > 0) {
    parts.push(element("ul", witnesses.map((one) => showWitness(one, events)), "cards"));
    parts.push(element("p", "That a key is a member's device, and whose, is Adashi's word. Compare the key of an outside witness with the one that it publishes itself.", "small"));
  }
  document.getElementById("seen").append(...parts);
}

function phoneWords(phone) {
  if (!phone) return "The device on which this file was asked for held nothing of the ledger from before. So the file does not show that the ledger continues what you saw earlier.";
  const first = `The oldest state of the ledger that your device holds has ${ofRecords(phone.size)}.`;
  const { givenUp } = phone;
  if (givenUp) {
    return (
      `${first} Since then the ledger was put back to record ${digits(givenUp.from)}, on ${moment(givenUp.at)}, and its key signed that what came after is given up: ` +
      `“${givenUp.reason}” This file does not prove what became of what your device saw.`
    );
  }
  if (phone.withheld) return `${first} The ledger's key signed it. That the ledger continues it is not proven here: the proof would help to guess something that is hidden from you.`;
  return `${first} The ledger of this file continues it: none of them was changed or taken away since your device saw them.`;
}

function showPhone({ phone }) {
  const parts = [element("h2", "What your device saw first"), element("p", phoneWords(phone))];
  if (phone) parts.push(element("ul", [element("li", list([["Ledger", phone.origin], ["Size", ofRecords(phone.size)], ["Root", element("code", btoa(String.fromCharCode(...phone.root)))]]))], "cards"));
  document.getElementById("seen").append(...parts);
}

function showSeen(b, seen, all) {
  showWitnesses(seen, all.length);
  showPhone(seen);
}
