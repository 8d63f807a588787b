// Package activity is the read model of every movement of a member's money, and of the payments on their way.
package activity

import (
	_ "embed"
	"slices"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "activity"

// The kinds of movement.
const (
	WalletFunded         = "WALLET_FUNDED"
	PaymentReversed      = "PAYMENT_REVERSED"
	Contribution         = "CONTRIBUTION"
	ContributionReversed = "CONTRIBUTION_REVERSED"
	Cover                = "COVER" // A contribution for another member.
	MoneyHeld            = "MONEY_HELD"
	HoldEnded            = "HOLD_ENDED" // Held money came back.
	Withdrawal           = "WITHDRAWAL"
	WithdrawalReturned   = "WITHDRAWAL_RETURNED"
	SavingsPaidOut       = "SAVINGS_PAID_OUT"   // From a group to the member's bank account: their wallet is as it was.
	SavingsReturned      = "SAVINGS_RETURNED"   // The bank sent that back: it is the member's savings again.
	GroupRest            = "GROUP_REST"         // Their part of what was left when a group closed.
	UnmatchedAssigned    = "UNMATCHED_ASSIGNED" // Money that arrived for nobody known turned out to be theirs.
	AdjustmentPaid       = "ADJUSTMENT_PAID"    // Adashi put something right with its own money.
	AdjustmentTaken      = "ADJUSTMENT_TAKEN"   // Adashi took back what it had paid wrongly.
	DebtOpened           = "DEBT_OPENED"        // Adashi lent what a bank takes back of a payment.
	DebtSettled          = "DEBT_SETTLED"       // Money that came in paid what the member owes Adashi.
)

// Incoming reports whether movements of a kind bring money into the wallet.
func Incoming(kind string) bool {
	switch kind {
	case WalletFunded, ContributionReversed, HoldEnded, WithdrawalReturned, SavingsReturned, GroupRest, UnmatchedAssigned, AdjustmentPaid, DebtOpened:
		return true
	}
	return slices.Contains(ajoIncoming, kind)
}

// BesideWallet reports whether movements of a kind leave the wallet as it was: they move savings in a group.
func BesideWallet(kind string) bool { return kind == SavingsPaidOut || kind == SavingsReturned }

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 10, Tables: []string{"rm_movements", "rm_payments"}, Fold: fold,
		Schema:  tables,
		Indexes: indexes,
	}
}
