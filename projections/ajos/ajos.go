// Package ajos is the read model of rotating savings, and of the cards that people save on alone. It shows what the
// ledger's own states come to: it keeps them as their aggregates write them down, and derives what is looked by from
// them.
//
// Votes about who collects next and sealed bids leave no row.
package ajos

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "ajos"

// Topic is what changes of ajo are told to their members as.
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
	Place           = "PLACE" // What somebody paid for a place that they took over.
)

// Where money of a movement came from.
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

// Model is the read model. Its version goes up with that of the states that it keeps, too.
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
