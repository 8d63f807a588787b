export const faqTexts = {
  title: "Questions and answers",
  lead: "What people ask us most.",
  more: "Not here?",
  contact: "Contact us",
} as const;

export const contactTexts = {
  title: "Contact us",
  lead: "A person answers, on working days within a day.",
  write: "Write to us",
  what: "Say what happened and when. If it is about a payment, add its reference: it stands on the payment's page under Activity.",
  faqs: "See the questions and answers",
} as const;

export const termsTexts = {
  title: "Terms",
  lead: "In plain words. They apply from the day you create an account.",
  parts: [
    {
      title: "Who can use Adashi",
      text: [
        "People of 15 and older, in Nigeria. Between 15 and 17 you can look around, and you can contribute once a parent or guardian has consented.",
        "One person, one account, under your own name. Keep your password to yourself.",
      ],
    },
    {
      title: "What Adashi does",
      text: [
        "It keeps the book of your group's savings and passes payments on. It is not a bank, pays no interest and lends nothing.",
        "Who joins a group, what it saves for and who may take money out is decided by the group and its approvers, not by us. Join people you know.",
      ],
    },
    {
      title: "Money and charges",
      text: [
        "Amounts are in naira. Before you agree to a payment you see the amount, the charge and the total. Paying by bank transfer avoids the service charges on card payments.",
        "A payment is written down once and never rubbed out. A mistake is put right by a second entry that everybody concerned can see.",
      ],
    },
    {
      title: "Your data",
      text: [
        "We keep what is needed to run your account and what the law asks us to keep. Your BVN, bank account and documents are encrypted and shown to nobody in your groups.",
        "You can download all of it at any time, and close your account: what the law lets go is erased at once, the rest when it may be. Payments stay in your groups' books without your name.",
      ],
    },
    {
      title: "When something goes wrong",
      text: [
        "Tell us as soon as you can. Every payment can be followed from your bank to the group's purse, and we look at it with you.",
        "We may stop an account that is used for fraud, and say why. If these terms change, you are told before they do.",
      ],
    },
  ],
} as const;
