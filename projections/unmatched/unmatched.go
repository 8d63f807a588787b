// Package unmatched is the read model of money that arrived and fitted no payment: whose it may be, whose it became,
// and which payment it turned out to be; and of money that a person must say of whether we have it already.
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
		Name: Name, Version: 5, Tables: []string{"rm_unmatched"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
