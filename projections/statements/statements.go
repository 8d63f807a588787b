// Package statements is the read model of every ledger account's history: each line of each event, and each account's
// sum by day. It can give a balance as of a position, as of a time of recording, and as of a time from which events
// count, even if events were back-dated later. No row of an entry is ever rewritten.
package statements

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "statements"

// partitions is how many workers share the accounts.
const partitions = 2

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 2, Partitions: partitions, Fold: fold,
		Tables:  []string{"rm_entries", "rm_account_days"},
		Schema:  tables,
		Indexes: indexes,
	}
}
