package told

import "google.golang.org/protobuf/reflect/protoreflect"

// ofMoney are the events of wallets, of banks, and of the ledger itself.
var ofMoney = map[protoreflect.Name]Row{
	"PaymentInitiatedV2":       nobody(later("PaymentConfirmedV2", "PaymentFailed")).not(did, User),
	"PaymentConfirmedV2":       tells(tell(WalletFunded, User)),
	"PaymentPending":           nobody(later("PaymentConfirmedV2", "PaymentFailed")).not("is told how it ends", User),
	"PaymentFailed":            tells(tell(PaymentFailed, User)),
	"PaymentExpired":           nobody("nobody paid, and nothing changes").not("did not pay", User),
	"PaymentReversedV3":        tells(tell(PaymentReversed, User)),
	"PaymentMeantForAjo":       nobody("says what a payment is for").not(did, User),
	"UnmatchedMoneyReceivedV2": nobody("waits at the desk until it is known whose it is"),
	"ArrivalCreditedV2":        nobody(beside("PaymentConfirmedV2")),
	"ArrivalNamedV2":           nobody(bank),
	"UnmatchedMatchedV2":       nobody(beside("PaymentConfirmedV2")).not("is told by PaymentConfirmedV2", User),
	"ArrivalHeldV2":            nobody("waits at the desk until it is known what it is"),
	"HeldArrivalSettledV2":     nobody(beside("PaymentConfirmedV2")).not(did, "settled_by"),
	"ReturnedMoneyParkedV2":    nobody("the account is closed, so the money waits at the desk"),
	"UnmatchedProposed":        nobody(later("UnmatchedAssigned")).not("is told once a second person agrees", User).not(did, "proposed_by"),
	"UnmatchedAssigned":        tells(tell(WalletFunded, User)).not("sees it at the desk", "proposed_by").not(did, "approved_by"),
	"UnmatchedDeclined":        nobody("waits at the desk again").not(did, "declined_by"),

	"WithdrawalRequestedV2": nobody(later("WithdrawalPaidV2", "WithdrawalFailed")).not(did, User),
	"WithdrawalSent":        nobody(later("WithdrawalPaidV2", "WithdrawalFailed")).not("is told how it ends", User),
	"WithdrawalPaidV2":      tells(tell(WithdrawalPaid, User)),
	"WithdrawalFailed":      tells(tell(WithdrawalFailed, User)),
	"WithdrawalReversedV2":  tells(tell(WithdrawalFailed, User)),
	"WithdrawalsCounted":    nobody(counts).not(did, User),

	"ReservesAttestedV2":   nobody(bank),
	"LiabilitiesCommitted": nobody("is for who checks the ledger"),

	"HoldPlaced":    nobody("told by what it is set aside for"),
	"HoldCaptured":  nobody("told by what it was set aside for"),
	"HoldReleased":  nobody("told by what it was set aside for"),
	"HoldExpired":   nobody("told by what it was set aside for"),
	"EventReversed": nobody(beside("ContributionReversed")).not(did, "by", "approved_by"),

	"PaymentInitiated":       nobody(Earlier),
	"PaymentConfirmed":       nobody(Earlier),
	"PaymentReversed":        nobody(Earlier),
	"PaymentReversedV2":      nobody(Earlier),
	"UnmatchedMoneyReceived": nobody(Earlier),
	"ArrivalCredited":        nobody(Earlier),
	"ArrivalNamed":           nobody(Earlier),
	"UnmatchedMatched":       nobody(Earlier),
	"ArrivalHeld":            nobody(Earlier),
	"HeldArrivalSettled":     nobody(Earlier),
	"ReturnedMoneyParked":    nobody(Earlier),
	"WithdrawalRequested":    nobody(Earlier),
	"WithdrawalPaid":         nobody(Earlier),
	"WithdrawalReversed":     nobody(Earlier),
	"ReservesAttested":       nobody(Earlier),
}
