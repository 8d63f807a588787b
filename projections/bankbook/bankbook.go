// Package bankbook is the read model of the movements on Adashi's bank accounts, by the ledger: the counterpart of a
// bank's statement.
package bankbook

import (
	_ "embed"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "bankbook"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 10, Tables: []string{"rm_bank_lines", "rm_bank_payouts"}, Fold: fold,
		Ignores: event.Others(
			&nairav1.PaymentConfirmedV2{}, &nairav1.PaymentReversedV3{}, &nairav1.UnmatchedMoneyReceivedV2{}, &nairav1.WithdrawalRequestedV2{},
			&nairav1.PaymentLossBorne{}, &nairav1.UnmatchedTakenBack{}, &nairav1.AssignedTakenBack{},
			&nairav1.UnmatchedMatchedV2{}, &nairav1.ReturnedMoneyMatched{}, &nairav1.ArrivalNamedV2{}, &nairav1.HeldArrivalSettledV2{},
			&nairav1.WithdrawalSent{}, &nairav1.WithdrawalPaidV2{}, &nairav1.WithdrawalFailed{}, &nairav1.WithdrawalReversedV2{},
			&nairav1.LiquidationRequestedV2{}, &nairav1.LiquidationAskedV2{}, &nairav1.LiquidationSent{}, &nairav1.LiquidationPaidV2{}, &nairav1.LiquidationFailed{},
			&nairav1.SendBackAgreed{}, &nairav1.SendBackSent{}, &nairav1.SendBackPaid{}, &nairav1.SendBackFailed{}, &nairav1.SendBackReturned{}, &nairav1.SendBackLossBorne{},
			&nairav1.LiquidationReversedV3{}, &nairav1.BankChargePosted{}, &nairav1.FailedPayoutLeft{}, &nairav1.FailedPayoutReturned{}, &nairav1.HoldCaptured{}, // Captured money can go to a bank.
		),
		Schema:  tables,
		Indexes: indexes,
	}
}

// Status is the status of a payout that the bank has.
type Status string

// The statuses.
const (
	Sent     Status = "SENT" // The outcome is not known yet; the bank is asked.
	Paid     Status = "PAID"
	Failed   Status = "FAILED"
	Reversed Status = "REVERSED"
	Left     Status = "LEFT" // It was paid after it had failed; Adashi bears the loss.
)
