// Package unmatched is the read model of money that arrived and fitted no payment: whose it may be, whose it became,
// and which payment it turned out to be; of money that a person must say of whether we have it already; and of how
// money goes back to the account that it came from.
package unmatched

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "unmatched"

// The statuses.
const (
	Open     = "OPEN"
	Proposed = "PROPOSED"
	Assigned = "ASSIGNED"
	Matched  = "MATCHED"  // It turned out to be a payment's.
	Returned = "RETURNED" // The gateway took it back. Its amount is the last that lay in suspense.
	Held     = "HELD"     // A person must say whether we have it already; it is posted nowhere.
	Leaving  = "LEAVING"  // It is to go back to the account that it came from, or on its way.
	SentBack = "SENT_BACK"
)

// The states of a try to send money back.
const (
	BackProposed = "PROPOSED"
	BackDropped  = "DROPPED" // Nobody agreed, or something else became of the money.
	BackAgreed   = "AGREED"
	BackSent     = "SENT"
	BackPaid     = "PAID"
	BackFailed   = "FAILED"
	BackReturned = "RETURNED"
)

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 8, Tables: []string{"rm_unmatched", "rm_send_backs"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
