package activity

import (
	"context"
	"strings"

	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/usecase"
)

// kindWords are the words of one kind of movement.
type kindWords struct {
	title   string                                                                   // In the list, the CSV, the statement and on the receipt. {sub} is the sub-account, {how} the channel.
	way     string                                                                   // On the receipt: the member's role in the movement, unless receipt says it.
	receipt func(*Service, context.Context, activity.Movement) (receiptWords, error) // What else the receipt says; nil for nothing.
	story   func(*Service, context.Context, activity.Movement) ([]StoryStep, error)  // How it came about.
}

// kinds are the words of each kind of movement: the only place that has them. docs/told.md lists the titles beside the
// events that they are of.
var kinds = map[string]kindWords{
	activity.WalletFunded:         {title: "Wallet funded {how}", receipt: (*Service).fundedWords, story: (*Service).paymentStory},
	activity.PaymentReversed:      {title: "Payment taken back by the bank", way: "Taken from", story: justPosted},
	activity.Contribution:         {title: "{sub} contribution", receipt: (*Service).contributionWords, story: (*Service).contributionStory},
	activity.ContributionReversed: {title: "{sub} contribution reversed", way: "Received by", story: justPosted},
	activity.Cover:                {title: "{sub} contribution for another member", way: "Paid by", story: (*Service).contributionStory},
	activity.MoneyHeld:            {title: "Set aside", receipt: heldWords, story: justPosted},
	activity.HoldEnded:            {title: "No longer set aside", receipt: heldWords, story: justPosted},
	activity.Withdrawal:           {title: "Withdrawal to your bank account", receipt: (*Service).withdrawalWords, story: (*Service).withdrawalStory},
	activity.WithdrawalReturned:   {title: "Withdrawal that came back", way: "Received by", story: (*Service).withdrawalStory},
	activity.SavingsPaidOut:       {title: "{sub} savings to your bank account", receipt: (*Service).savingsWords, story: (*Service).savingsStory},
	activity.SavingsReturned:      {title: "{sub} savings that your bank sent back", way: "Received by", story: (*Service).savingsStory},
	activity.GroupRest:            {title: "What was left of {sub} when the group closed", way: "Received by", story: justPosted},
	activity.UnmatchedAssigned:    {title: "Money found to be yours", receipt: (*Service).fundedWords, story: (*Service).arrivalStory},
	activity.AdjustmentPaid:       {title: "Put right by Adashi", way: "Received by", story: decidedAndPosted},
	activity.AdjustmentTaken:      {title: "Taken back by Adashi", way: "Taken from", story: decidedAndPosted},
	activity.DebtOpened:           {title: "Lent by Adashi for a payment that a bank took back", way: "Received by", story: justPosted},
	activity.DebtSettled:          {title: "Paid back to Adashi", way: "Paid by", story: justPosted},

	activity.AjoContribution:   {title: "Ajo contribution", receipt: (*Service).ajoWords, story: (*Service).ajoDueStory},
	activity.AjoCover:          {title: "Ajo contribution for another member", receipt: (*Service).ajoWords, story: (*Service).ajoDueStory},
	activity.AjoReturned:       {title: "Ajo contribution that came back", way: "Received by", story: justPosted},
	activity.AjoDeposit:        {title: "Ajo deposit", way: "Deposited by", story: (*Service).paymentStory},
	activity.AjoDepositReturn:  {title: "Ajo deposit that came back", way: "Received by", story: justPosted},
	activity.AjoDebtPaid:       {title: "Ajo debt paid", way: "Paid by", story: (*Service).paymentStory},
	activity.AjoDebtReceived:   {title: "Ajo debt paid to you", way: "Received by", story: justPosted},
	activity.AjoPlaceBought:    {title: "Ajo place taken over", way: "Paid by", story: (*Service).paymentStory},
	activity.AjoPlaceSold:      {title: "Ajo place given up", way: "Received by", story: justPosted},
	activity.AjoDiscount:       {title: "Your part of a bid in your ajo", way: "Received by", story: justPosted},
	activity.AjoPayout:         {title: "Ajo payout", way: "Received by", story: justPosted},
	activity.AjoCardFilled:     {title: "Boxes of a card filled", way: "Paid by", story: (*Service).paymentStory},
	activity.AjoCardPaid:       {title: "Card paid out", way: "Received by", story: justPosted},
	activity.AjoCardCommission: {title: "Commission for a card", way: "Received by", story: justPosted},
}

// Title is a short title of a movement. It is empty for a kind without words, which no movement is of.
func Title(m activity.Movement, n usecase.Names) string {
	return strings.NewReplacer("{sub}", n.Subs[m.SubAccountID].Name, "{how}", usecase.ByChannel(m.Channel)).Replace(kinds[m.Kind].title)
}

// justPosted is the story of a movement that followed from another event.
func justPosted(_ *Service, _ context.Context, m activity.Movement) ([]StoryStep, error) {
	return []StoryStep{posted(m)}, nil
}

// decidedAndPosted is the story of a correction.
func decidedAndPosted(_ *Service, _ context.Context, m activity.Movement) ([]StoryStep, error) {
	return []StoryStep{decided(m), posted(m)}, nil
}

// ajoAccounts are plain names for the accounts of ajo money, by their kind. A wallet here belongs to another member
// than the reader.
var ajoAccounts = map[string]struct{ account, in, out string }{
	"pot":     {"A pot of your ajo", "went into the pot", "left the pot"},
	"deposit": {"A deposit of your ajo", "was deposited", "is no longer deposited"},
	"card":    {"A card", "went on the card", "left the card"},
	"wallet":  {"Another member's wallet", "went into their wallet", "left their wallet"},
}
