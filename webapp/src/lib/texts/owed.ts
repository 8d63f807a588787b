/** What a member owes since a bank took a payment back. */
export const owedTexts = {
  owed: (amount: string) => `You owe ${amount}: all money that comes in pays it first`,
  owedWhy: "A bank took back a payment after its money was used. Until it is paid, nothing goes to your bank.",
} as const;
