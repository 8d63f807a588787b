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
	SavingsReturned      = "SAVINGS_RETURNED"   // The bank returned the payout: it is the member's savings again.
	GroupRest            = "GROUP_REST"         // The member's part of the rest when a group closed.
	UnmatchedAssigned    = "UNMATCHED_ASSIGNED" // Money of an unknown payer turned out to be the member's.
	AdjustmentPaid       = "ADJUSTMENT_PAID"    // Adashi corrected a mistake with its own money.
	AdjustmentTaken      = "ADJUSTMENT_TAKEN"   // Adashi took back what it had paid wrongly.
	DebtOpened           = "DEBT_OPENED"        // Adashi lent the amount that a bank reversed of a payment.
	DebtSettled          = "DEBT_SETTLED"       // Incoming money paid the member's debt to Adashi.
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
