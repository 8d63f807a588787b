// Package projections holds the read models, each a folder with its tables, its fold and its queries. Only its fold
// writes a read model, which can always be rebuilt from the ledger.
package projections

import (
	"slices"

	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajoaccess"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/bankbook"
	"adashi.ng/projections/debts"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/holding"
	"adashi.ng/projections/months"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/projections/standing"
	"adashi.ng/projections/statements"
	"adashi.ng/projections/trail"
	"adashi.ng/projections/unmatched"
)

// Tables are all tables of the read models and of the engine.
func Tables() []string {
	tables := slices.Clone(engine.Tables)
	for _, m := range All() {
		tables = slices.Concat(tables, m.Tables, m.KeptTables)
	}
	return tables
}

// All is the one list of read models.
func All() []engine.Model {
	return []engine.Model{
		balances.Model(), activity.Model(), groups.Model(), notifications.Model(), holding.Model(), statements.Model(),
		payouts.Model(), standing.Model(), unmatched.Model(), bankbook.Model(), requests.Model(), ajoaccess.Model(), ajos.Model(), disputes.Model(), months.Model(), debts.Model(),
		trail.Model(),
	}
}
