// Package unmatched is the read model of money that arrived and fitted no payment: its possible owners, its final
// owner, and the payment that it turned out to be; of money that may be a duplicate, which a person must decide; and of
// money that is sent back to its source account.
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
	Returned = "RETURNED" // The gateway reversed it. Its amount is the last one in suspense.
	Held     = "HELD"     // A person must say whether it is a duplicate; it is not posted.
	Leaving  = "LEAVING"  // It is to be sent back to its source account, or on its way.
	SentBack = "SENT_BACK"
)

// The states of an attempt to send money back.
const (
	BackProposed = "PROPOSED"
	BackDropped  = "DROPPED" // Nobody agreed, or the money was used otherwise.
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
