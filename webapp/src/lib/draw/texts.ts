const count = (value: number) => value.toLocaleString("en-NG");

const inMinutes = (value: number) =>
  value < 1 ? "less than a minute" : value < 2 ? "a minute" : `${count(Math.floor(value))} minutes`;

export const drawTexts = {
  form: {
    name: "The file",
    ok: "It holds all that it takes to draw again.",
    failed: "It is not a proof of a draw that this page can read. Ask for the file as it was downloaded.",
  },
  list: {
    name: "The sealed list",
    ok: (seats: number) =>
      `The ${count(seats)} seats, their holders and what their phones gave make the digest that was sealed.`,
    failed: "The seats, the holders or the terms are not those that were sealed.",
    unwhole: "The list has a seat that is missing, or not held wholly.",
  },
  time: {
    name: "Sealed before the draw",
    ok: (minutes: number) => `The list was closed ${inMinutes(minutes)} before the draw, and stayed as it was.`,
    failed: "The list was not closed before the draw, so it could have been fitted to the outcome.",
  },
  beacon: {
    name: "The beacon",
    ok: "It is drand's quicknet. Many organisations run it together, and Adashi is not among them.",
    test: "It is a test beacon, of which Adashi holds the key. The steps can be tried with it, and it proves nothing.",
    failed: "It is not drand's quicknet, nor does it say that it is a test.",
  },
  round: {
    name: "The round",
    ok: (round: number) => `Round ${count(round)} is the one that the time of the draw names.`,
    failed: (round: number, wanted: number) =>
      `The time of the draw names round ${count(wanted)}, and not ${count(round)}.`,
  },
  signature: {
    name: "The signature",
    ok: (round: number) => `It is the beacon's signature of round ${count(round)}, and there is one only.`,
    failed: (round: number) => `That is not the beacon of round ${count(round)}.`,
  },
  phones: {
    name: "The phones' secrets",
    ok: (revealed: number, all: number) =>
      `${count(revealed)} of ${count(all)} phones revealed the secret that they had committed to. Who did not goes last.`,
    failed: "A secret is not the one that its phone had committed to, or a phone takes part that holds no seat.",
    none: "No phone has revealed its secret, so there is nothing to draw from.",
  },
  order: {
    name: "The order",
    ok: "Drawn again here, the seats come in the very same order.",
    failed: "Drawn again here, the seats come in another order.",
  },
} as const;
