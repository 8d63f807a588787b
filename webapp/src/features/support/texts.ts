export const deskTexts = { title: "Support desk" } as const;
