/** The words about a link that lets people in, to a group or an ajo. */
export const invitingTexts = {
  link: "The link",
  copy: "Copy link",
  share: "Share",
  whatsapp: "Share on WhatsApp",
  qr: "The QR code",
  qrLabel: "QR code of the invitation link",
  qrText: "Let somebody beside you point their camera at it.",
  email: "By email",
  emails: "Email addresses",
  emailsHelp: "One on each line, or with commas between them. At most 50.",
  emailsNone: "Enter at least one address.",
  emailsWrong: (address: string) => `“${address}” is not an email address.`,
  emailsMany: "That is more than 50. Send the rest after these.",
  sent: (count: number) => (count === 1 ? "1 invitation is on its way." : `${count} invitations are on their way.`),
  send: "Send invitations",
  sendCount: (count: number) => (count === 1 ? "Send 1 invitation" : `Send ${count} invitations`),
} as const;
