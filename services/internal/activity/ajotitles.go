package activity

import "adashi.ng/projections/activity"

// ajoTitles are short titles for movements of ajo money.
var ajoTitles = map[string]string{
	activity.AjoContribution:   "Ajo contribution",
	activity.AjoCover:          "Ajo contribution for another member",
	activity.AjoReturned:       "Ajo contribution that came back",
	activity.AjoDeposit:        "Ajo deposit",
	activity.AjoDepositReturn:  "Ajo deposit that came back",
	activity.AjoDebtPaid:       "Ajo debt paid",
	activity.AjoDebtReceived:   "Ajo debt paid to you",
	activity.AjoPlaceBought:    "Ajo place taken over",
	activity.AjoPlaceSold:      "Ajo place given up",
	activity.AjoDiscount:       "Your part of a bid in your ajo",
	activity.AjoPayout:         "Ajo payout",
	activity.AjoCardFilled:     "Boxes of a card filled",
	activity.AjoCardPaid:       "Card paid out",
	activity.AjoCardCommission: "Commission for a card",
}

// ajoAccounts are plain names for the accounts of ajo money, by their kind. A wallet here belongs to another member
// than the reader.
var ajoAccounts = map[string]struct{ account, in, out string }{
	"pot":     {"A pot of your ajo", "went into the pot", "left the pot"},
	"deposit": {"A deposit of your ajo", "was deposited", "is no longer deposited"},
	"card":    {"A card", "went on the card", "left the card"},
	"wallet":  {"Another member's wallet", "went into their wallet", "left their wallet"},
}
