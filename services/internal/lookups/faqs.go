package lookups

import contract "adashi.ng/proto/gen/httpapi"

// Faqs are ten questions that people ask, and their answers.
var Faqs = []contract.Faq{
	{Question: "What is Adashi?", Answer: "A place for groups, societies and associations in Nigeria to save together. Everybody in a group sees what was paid in, by whom and when, and nobody can change it afterwards."},
	{Question: "Who can join?", Answer: "Anybody in Nigeria who is 15 years or older. Between 15 and 17 a parent or guardian must agree before you contribute. A BVN, a payout to a bank account and ajo need 18 years."},
	{Question: "What does it cost to pay in?", Answer: "Paying by bank transfer avoids the service charges on card payments: your wallet receives exactly what you send. A card payment adds the card gateway's charge, which you see before you pay."},
	{Question: "How do I join a group?", Answer: "Ask somebody in the group for its invitation link. When you have asked to join by it, one of the group's approvers lets you in."},
	{Question: "Who looks after a group's money?", Answer: "The group names an owner, approvers and a validator. The validator looks over every payment, and nobody acts twice on the same request, so no one person can move the group's money alone."},
	{Question: "What is ajo?", Answer: "Rotating savings, which some call esusu: everybody in the group pays the same amount each cycle, and each cycle one member collects the whole pot, until all have collected."},
	{Question: "Why do you ask for my BVN?", Answer: "To know that the bank account you are paid to is yours. We ask the bank whether it matches your name and account. We do not keep it readable: only its last two digits, and a seal that tells us when the same BVN is used twice."},
	{Question: "What happens when a payment fails?", Answer: "You are not charged, and your wallet stays as it was. If your bank took the money nevertheless, it reaches your wallet as soon as the bank confirms it, or it goes back to you."},
	{Question: "Can somebody change what I have paid?", Answer: "No. Every payment is written once and sealed. Your receipt has a proof that your own browser checks, so you would see it if anything were changed."},
	{Question: "How do I close my account?", Answer: "Under Security in your profile, once no money of yours is in it and no open group depends on you. What the law lets us forget is erased at once, and the rest when it may be. You can export everything we keep about you before."},
}
