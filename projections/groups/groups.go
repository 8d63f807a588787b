// Package groups is the read model of group savings: groups, members, sub-accounts, contributions, and the audit marks
// of payments.
package groups

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "groups"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 18, Fold: fold,
		Tables:  []string{"rm_groups", "rm_members", "rm_past_members", "rm_sub_accounts", "rm_contributors", "rm_contributions", "rm_group_months", "rm_group_documents", "rm_absences", "rm_waivers"},
		Schema:  tables,
		Indexes: indexes,
	}
}
