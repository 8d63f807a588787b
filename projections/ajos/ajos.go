// Package ajos is the read model of rotating savings, and of the cards on which one member saves alone. It keeps the
// states of the ledger's aggregates in the aggregates' own encoding, and derives from them the columns to search by.
//
// Votes about who collects next and sealed bids leave no row.
package ajos

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "ajos"

// Topic is the topic of changes of ajo for their members.
const Topic = "ajo"

// The kinds of movement of ajo money.
const (
	Due             = "DUE"
	Cover           = "COVER" // A due that another member paid, and is owed for.
	Gift            = "GIFT"  // A due that another member paid, and is not owed for.
	Returned        = "RETURNED"
	Deposit         = "DEPOSIT"
	DepositUsed     = "DEPOSIT_USED"
	DepositReturned = "DEPOSIT_RETURNED"
	Debt            = "DEBT"
	Payout          = "PAYOUT"
	Discount        = "DISCOUNT"
	Place           = "PLACE" // The price of a place that a member took over.
)

// The source of a movement's money.
const (
	FromWallet  = "WALLET"
	FromPot     = "POT"
	FromDeposit = "DEPOSIT"
)

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model. Its version must also go up with that of the states that it keeps.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 15, Fold: fold,
		Tables: []string{
			"rm_ajos", "rm_ajo_states", "rm_ajo_members", "rm_ajo_cycles", "rm_ajo_payments", "rm_ajo_debts", "rm_ajo_cards", "rm_ajo_card_fills",
		},
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
