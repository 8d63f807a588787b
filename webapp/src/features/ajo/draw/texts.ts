const count = (value: number) => value.toLocaleString("en-NG");

export const ajoDrawTexts = {
  title: "How the turns were drawn",
  lead: "You need not believe us about the order in which this ajo collects: this page draws it again in your browser.",
  leadFile: "Open the file of a draw. It is checked in your browser and sent nowhere.",
  missing: "There is no draw here",
  missingText:
    "The list of this ajo is not drawn yet, or its order was not left to chance. A file can be checked all the same.",
  sealed: (seats: number, at: string) =>
    `On ${at} the list of ${count(seats)} seats was closed and sealed with a digest: who holds which seat, and random bytes from each member's phone.`,
  byBeacon: (round: number, at: string) =>
    `The order was left to round ${count(round)} of a public beacon, which came on ${at}. Until then nobody could know it, and afterwards nobody can change it.`,
  byTest: (round: number, at: string) =>
    `The order was left to round ${count(round)} of a test beacon, which came on ${at}. Adashi holds its key, and could know every round before it came.`,
  byPhones: (at: string) =>
    `The order was left to secrets to which the members' phones had committed, and which they revealed by ${at}. A seat whose phone kept its secret collects last.`,
  byBoth: (round: number, at: string) =>
    `The order was left to secrets to which the members' phones had committed, and which they revealed by ${at}, and to round ${count(round)} of a public beacon, which came half a minute later. So nobody who could still reveal knew the order. A seat whose phone kept its secret collects last.`,
  test: "Test beacon",
  checkTitle: "Checked here",
  checking: "Drawing again in your browser…",
  right: "The draw is right",
  rightText: "Every step holds.",
  rightTest: "Every step holds, for a test",
  rightTestText: "Adashi holds the key of this beacon, so this draw shows how it works and proves nothing.",
  wrong: (step: string) => `The draw does not hold: ${step.toLowerCase()}`,
  wrongText: "Do not rely on this order. Keep the file and show it to the members of the ajo.",
  uncheckable: "It could not be checked",
  uncheckableText:
    "This browser could not load or run the check. Update it, or try another; the file can be checked there too.",
  holds: "Holds",
  fails: "Fails",
  orderTitle: "The order",
  names: "The names are of the members who hold the seats now. Only members see them.",
  toAjo: "Back to the ajo",
  turn: (cycle: number) => `Turn ${count(cycle)}`,
  seat: (seat: number) => `Seat ${count(seat)}`,
  shared: "shared by two",
  fileTitle: "The file",
  fileText:
    "The file holds all that it takes to draw again, here or with a program of your own, with or without Adashi.",
  download: "Download the file",
  open: "Check a file",
  fromFile: (name: string) => `From the file ${name}`,
  back: "Back to the draw of this address",
  noFile: "That file cannot be read. Choose the JSON file of a draw.",
} as const;
