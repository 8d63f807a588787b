// What the dispute's events say of it, by the rules of dispute.go, and what accounts and streams are called.

const NEVER = "0001-01-01T00:00:00Z";

// A time of microseconds, as Go writes it.
function stamp(micros) {
  const whole = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const part = String(micros % 1_000_000n).padStart(6, "0").replace(/0+$/, "");
  return `${whole}${part && `.${part}`}Z`;
}

// A google.protobuf.Timestamp in microseconds; undefined where it is absent.
function microsOf(bytes) {
  if (bytes === undefined) return undefined;
  const fields = fieldsOf(bytes);
  return (fields.get(1) ?? 0n) * 1_000_000n + (fields.get(2) ?? 0n) / 1000n;
}

const either = (holds, yes, no) => (holds ? yes : no);

// What each type of event says: its kind, who did it, the SHA-256 of what came with it, and the state after it.
const HAPPENED = {
  DisputeOpened: (f) => ({ kind: "OPENED", by: f.text(2), sum: f.sum(10), status: "OPEN", opens: true, decideBy: f.get(12) }),
  CardDisputeTold: (f) => ({ kind: "BANK_OPENED", status: "OPEN", opens: true, decideBy: f.get(12) }),
  CardDisputeEnded: (f) => ({
    kind: either(f.is(5), "BANK_TOOK_BACK", "BANK_KEPT"),
    status: either(f.is(5), "RESOLVED_UPHELD", "RESOLVED_REJECTED"),
    ends: true,
    lateTold: true,
  }),
  CardAnswerDue: () => ({ kind: "ANSWER_DUE" }),
  CardAnswerTaken: (f) => ({ kind: either(f.is(4), "CARD_ACCEPTED", "CARD_DECLINED"), sum: f.sum(6) }),
  DisputeTaken: (f) => ({ kind: "TAKEN", by: f.text(3), status: "INVESTIGATING" }),
  DisputeAsked: (f) => ({ kind: "ASKED", by: f.text(3), sum: f.sum(4), status: "INFO_REQUESTED" }),
  DisputeEvidenceAdded: (f) => ({ kind: "ADDED", by: f.text(2), sum: toHex(f.get(5) ?? []), isFile: f.is(4) }),
  DisputeHoldAsked: (f) => ({ kind: either(f.get(7), "HOLD_HELD", "HOLD_ASKED"), by: f.text(2) }),
  DisputeHoldAllowed: (f) => ({ kind: "HOLD_ALLOWED", by: f.text(3) }),
  DisputedMoneyFreed: (f) => (f.get(7) === 3n ? { kind: "HOLD_OVER" } : undefined),
  DisputeAnswered: (f) => {
    const said = f.get(3) ? { kind: "ANSWERED", by: f.text(2), sum: f.sum(3) } : { kind: "NOT_ANSWERED" };
    return { ...said, status: "INVESTIGATING", decideBy: f.get(4) };
  },
  DisputeResolved: (f) => {
    const kind = either(f.is(4), "RESOLVED_UPHELD", "RESOLVED_REJECTED");
    return { kind, by: f.text(3), sum: f.sum(5), status: kind, ends: true };
  },
  DisputeReopened: (f) => ({ kind: "REOPENED", by: f.text(2), sum: f.sum(3), status: "REOPENED", opens: true, decideBy: f.get(5) }),
  DisputeWithdrawn: (f) => ({ kind: "WITHDRAWN", by: f.text(2), status: "WITHDRAWN", ends: true }),
  DisputeOverdue: (f) => ({ kind: either(f.get(3) === 1n, "TAKING_OVERDUE", "DECISION_OVERDUE") }),
  CorrectionApplied: () => ({ kind: "PLAN_APPLIED", isRecorded: true }),
};

const typeOf = ({ type }) => type.replace(/^naira\.v1\./, "");

function happened(r) {
  const fields = fieldsOf(r.body);
  const f = {
    get: (number) => fields.get(number),
    text: (number) => textOf(fields.get(number)),
    is: (number) => fields.get(number) === 1n,
    sum: (number) => toHex(fieldsOf(fields.get(number) ?? new Uint8Array()).get(2) ?? []),
  };
  const says = Object.hasOwn(HAPPENED, typeOf(r)) ? HAPPENED[typeOf(r)](f) : undefined;
  return says && { by: "", sum: "", ...says };
}

function who({ kind, by }, member) {
  if (kind.startsWith("BANK_")) return "BANK";
  if (kind.startsWith("CARD_")) return "SUPPORT";
  if (by === "") return "CLOCK";
  return by === member ? "MEMBER" : "SUPPORT";
}

// Whether an event is of the dispute's correction, its answer to a bank or its hold, and is told as a step of it.
function isRelated(b, r) {
  if (r.hidden || !/^(correction|cardanswer|disputed):/.test(r.stream)) return false;
  return happened(r) !== undefined && textOf(fieldsOf(r.body).get(1)) === b.dispute.id;
}

const isOfDispute = (b, e) => e.stream === `dispute:${b.dispute.id}` || isRelated(b, e);

// The tracking number of a dispute, from the first five bytes of its id.
function numberOf(id) {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const hex = id.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/.test(hex)) return "";
  const bits = BigInt(`0x${hex.slice(0, 10)}`);
  const text = Array.from({ length: 8 }, (_, at) => letters[Number((bits >> BigInt(35 - 5 * at)) & 31n)]).join("");
  return `AD-${text.slice(0, 4)}-${text.slice(4)}`;
}

async function stepOf(b, r, says, written) {
  const text = written.get(r.pos) ?? "";
  const isWritten = says.sum !== "" && !says.isFile;
  const isSame = text === "" || (isWritten && toHex(await sha256(new TextEncoder().encode(text))) === says.sum);
  must(isSame, `the words of the step at position ${r.pos} are not those that were recorded`);
  return {
    position: r.pos,
    kind: says.kind,
    by: who(says, b.member),
    at: stamp(says.isRecorded ? r.recorded : r.effective),
    ...(text && { words: text }),
    ...(isWritten && !text && { gone: true }),
    ...(says.sum && { sha256: says.sum }),
  };
}

// What is told of the dispute, made from its events.
async function derive(b, events) {
  const d = { id: b.dispute.id, number: numberOf(b.dispute.id), kind: "", title: "", status: "", openedAt: NEVER, decideBy: NEVER };
  const written = new Map(b.dispute.steps.map(({ position, words }) => [position, words]));
  const steps = [];
  let endedAt;
  for (const r of events) {
    if (r.hidden) {
      steps.push({ position: r.pos, kind: "HIDDEN", by: "", at: NEVER });
      continue;
    }
    const says = happened(r);
    if (!says) continue;
    if (typeOf(r) === "DisputeOpened") [d.kind, d.title] = TABLES.kinds[Number(fieldsOf(r.body).get(3) ?? 0n)] ?? ["", ""];
    if (typeOf(r) === "CardDisputeTold") [d.kind, d.title] = ["CARD", TABLES.kinds[0][1]];
    const step = await stepOf(b, r, says, written);
    steps.push(step);
    if (says.lateTold && endedAt) continue;
    if (says.opens && d.openedAt === NEVER) d.openedAt = step.at;
    if (says.status) [d.status, endedAt] = [says.status, undefined];
    if (says.ends) endedAt = step.at;
    if (says.decideBy) d.decideBy = stamp(microsOf(says.decideBy));
  }
  if (events.some(({ hidden }) => hidden)) [d.status, d.decideBy, endedAt] = ["HIDDEN", NEVER, undefined];
  return { ...d, ...(endedAt && { endedAt }), steps };
}

async function checkDispute(b, all) {
  const told = b.dispute;
  must(b.streams.some(({ name }) => name === `dispute:${told.id}`), "the events of the dispute are not here");
  const derived = await derive(b, all.filter((e) => isOfDispute(b, e)));
  must(told.kind === derived.kind, "the dispute is another member's, or about something else");
  for (const [n, step] of told.steps.entries()) {
    must(step.position === derived.steps[n]?.position, `the step at position ${step.position} is not an event of the dispute, or not in its place`);
    const isSame = JSON.stringify(step) === JSON.stringify(derived.steps[n]);
    must(isSame, `the step at position ${step.position} is not told as it was recorded`);
  }
  const missing = derived.steps[told.steps.length];
  must(!missing, `the step at position ${missing?.position} of the dispute is not told`);
  const isSame = JSON.stringify(told) === JSON.stringify(derived);
  must(isSame, "where the dispute stands, its number, title or a date is not what follows from its events");
}

const STREAMS = {
  account: "Your account",
  outflow: "Your withdrawals of a day",
  debt: "What you owe Adashi",
  cards: "Your card payments",
  underway: "Your payments under way",
  disputes: "Your open disputes",
  member: "Your membership of a group",
  dispute: "The dispute",
  requests: "Your open requests",
  ajopaid: "Your consents and deposit in an ajo",
  ajocommit: "Your commitments to ajo",
  ajoaccess: "Your access to ajo",
  payment: "A payment of yours",
  withdrawal: "A withdrawal of yours",
  standing: "A standing order of yours",
  ajocard: "A savings card of yours",
  hold: "A hold",
  liquidation: "A request for money",
  unmatched: "Money that arrived",
  sendback: "A payout of such money",
  ajocycle: "A cycle of an ajo",
  ajo: "An ajo",
  reversal: "A reversal",
  correction: "A correction",
  adjusted: "What corrections adjusted",
  cardanswer: "An answer to the bank of a card",
  disputed: "Money in dispute",
};

// An account or a stream in words, made from its name. Nobody but the member is named.
function inWords(member, name) {
  if (name.startsWith("held:")) return `what is set aside of ${inWords(member, name.slice("held:".length))}`;
  const [kind, first = ""] = name.split(":");
  const end = first.slice(-4);
  const accounts = {
    wallet: first === member ? "your wallet" : "another's wallet",
    deposit: "your deposit in an ajo",
    pool: `the sub-account whose id ends in ${end}`,
    dues: `Your dues in the sub-account whose id ends in ${end}`,
    pot: "the pot of an ajo",
    card: "a savings card",
    bank: `the bank account at ${first}`,
    suspense: "money of nobody yet",
    owed: "what you owe Adashi",
    losses: "Adashi's own account",
  };
  return accounts[kind] ?? STREAMS[kind] ?? name;
}
