export const landingTexts = {
  promise: "Save together. See every naira.",
  lead: "Adashi keeps your group's contributions in the open: who paid, when, and what there is in all, to the kobo.",
  signup: "Create your account",
  demo: "Try the demo",
  login: "Log in",
  points: [
    {
      title: "Everyone sees who paid",
      text: "Each contribution shows on every member's screen the moment it lands. No more calling round to ask.",
    },
    {
      title: "A validator checks the book",
      text: "Your group names one of its own to go through the payments. Approvers let people in. Nobody does it all alone.",
    },
    {
      title: "Nothing is ever rubbed out",
      text: "Payments are written down once and kept. Every one can tell its story, from your bank to the group's purse.",
    },
  ],
  stepsTitle: "How a group starts",
  steps: [
    { title: "Name it", text: "Say what you save for, how much a month and from which month." },
    { title: "Share the link", text: "Send the invitation to your people. You approve each one who asks to join." },
    { title: "Contribute", text: "By bank transfer without charges, by card, or from your wallet." },
  ],
  footNav: "About Adashi",
  faqs: "Questions",
  contact: "Contact us",
  terms: "Terms",
  foot: "For people of 15 and older, in Nigeria. Amounts are in naira.",
} as const;
