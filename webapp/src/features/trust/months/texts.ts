const count = (value: number) => value.toLocaleString("en-NG");

const devices = { PHONE: "phone", TABLET: "tablet", COMPUTER: "computer" } as const;
type Device = keyof typeof devices;

const payments = (value: number) => (value === 1 ? "1 payment" : `${count(value)} payments`);

/** Texts of the closed months of a group or ajo. */
export const monthsTexts = {
  title: "Closed months",
  lead: "Once a month is over, its list of payments is sealed, and a public draw decides which of them are looked at. Nobody can choose: not the validator, and not Adashi.",
  back: (name: string) => name,
  closer: (name: string) => `${name} closes the months here.`,
  none: "No month is closed yet",
  noneText: "Whoever audits closes a month from the first day of the next one on.",
  hidden: "The owner hides what this group holds, so its officials alone see how many payments there are.",
  close: {
    title: "Close a month",
    month: "Month",
    option: (label: string, total: number) => `${label}: ${payments(total)}`,
    first: "The first month may be any; those before it are on no list. After it, one follows the other.",
    margin: "It shows if so much is wrong",
    margins: { 5: "5%, by 59 payments", 2: "2%, by 149 payments" },
    always:
      "Payouts and unusual payments are looked at in any case. What is told of the month after this goes to the next list.",
    yes: "Seal the list",
    nothing: "There is no month to close now.",
  },
  status: { NAMED: "Waits for its round", DRAWN: "Sample to look at", ATTESTED: "Closed" },
  sentence: {
    NAMED: (at: string, round: number) =>
      `The list is sealed. Round ${count(round)} of the public beacon, which comes on ${at}, draws from it; nobody knows it before.`,
    DRAWN: "The sample is drawn. The month is closed once all of it is marked.",
    left: (left: number, sample: number) =>
      left === 0
        ? `All ${count(sample)} of the sample are marked.`
        : `${count(left)} of ${count(sample)} are not marked yet.`,
    ATTESTED: "The sample was looked at and the month is closed.",
  },
  changed: (value: number) =>
    value === 1
      ? "Changed since: 1 payment was queried or taken back after the month was closed."
      : `Changed since: ${count(value)} payments were queried or taken back after the month was closed.`,
  test: "Drawn by a test beacon whose key Adashi holds: it shows how it works, and proves nothing.",
  facts: {
    sealed: "List sealed",
    payments: "Payments",
    always: "Looked at in any case",
    drawn: "Drawn by chance",
    marks: "Marked in all",
    closed: "Closed",
    signed: "Signed by",
  },
  signedBy: (name: string, device: Device) => `${name}’s ${devices[device]}`,
  unsigned: "No device: it was closed before devices signed",
  by: (name: string, at: string) => `${name}, ${at}`,
  marks: (validated: number, queried: number, resolved: number) =>
    [`${count(validated)} validated`, `${count(queried)} queried`, `${count(resolved)} resolved`].join(", "),
  look: "Look at the sample",
  attest: (label: string) => `Close ${label}`,
  sign: {
    title: (label: string) => `Close ${label}?`,
    lead: (device: Device) =>
      `Your ${devices[device]} signs this in your name. Nobody can change it then without members seeing it, not even Adashi.`,
    reading: "Drawing the sample again here…",
    first: (device: Device) => `This ${devices[device]} makes its key now. We ask for your password first.`,
    facts: {
      list: "Payments",
      drawn: "Drawn by chance",
      always: "Looked at in any case",
      marks: "Marked in all",
      takenBack: "Taken back",
    },
    of: (value: number, queried: number) =>
      queried === 0 ? `${count(value)}, none queried` : `${count(value)}, ${count(queried)} queried`,
    wrong: "Do not sign: the draw is not right",
    nothing: "This month has changed. Close this and look again.",
    unable:
      "This browser can’t sign: it lacks Ed25519 keys, or keeps none in a private window. Update it, or close the month on another device.",
    yes: "Sign and close",
    no: "Not yet",
  },
  keys: {
    title: "Devices that sign for you",
    lead: "What you attest of a closed month is signed by a key that never leaves your device. Members see which device signed; turn off one that is lost or not yours.",
    device: (device: Device) => `${(devices[device][0] ?? "").toUpperCase()}${devices[device].slice(1)}`,
    here: "this device",
    since: (when: string) => `since ${when}`,
    end: "Turn off",
    endOne: (device: Device, print: string) => `Turn off the ${devices[device]} with key ${print}`,
    endTitle: (device: Device) => `Turn this ${devices[device]} off?`,
    endText: "What it signed before still stands. To sign again it makes a new key.",
    endYes: "Turn it off",
    no: "Keep it",
  },
  check: "Check the draw",
  checkOf: (label: string) => `Check the draw of ${label}`,
  checking: "Drawing again here",
  holds: "The draw is right",
  holdsText: "Drawn again in this browser, from the sealed list and the round, the sample is the same.",
  holdsTest: "The steps are right, of a test beacon",
  fails: "The draw is not right",
  failsSigned: "What is attested is not right",
  states: { passed: "Right", failed: "Wrong" },
  steps: {
    list: {
      name: "The sealed list",
      ok: (value: number) => `The ${payments(value)} make the digest that was sealed.`,
      failed: "The payments are not those that were sealed.",
    },
    sample: {
      name: "The sample",
      ok: (value: number) => `Drawn again here, the same ${payments(value)} come out.`,
      failed: "Drawn again here, other payments come out.",
    },
    attested: {
      name: "Who signed it",
      ok: (
        said: { byName: string; validated: number; queried: number; resolved: number },
        device: Device,
        print: string,
      ) =>
        `${said.byName}’s ${devices[device]}, with key ${print}, signed what is attested: ${count(said.validated)} validated, ${count(said.queried)} queried, ${count(said.resolved)} resolved. That the key is theirs is the ledger’s word: compare it with the one that they see under Security.`,
      failed: "What is attested is not what the device signed. Write to support, and keep this page.",
    },
  },
} as const;
