// Package requests is the read model of money that leaves groups, and of their payments being audited: each request
// with its timeline, what every sub-account holds, and each payment with its mark and what is odd about it.
package requests

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "requests"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 5, Fold: fold,
		Tables:  []string{"rm_requests", "rm_request_steps", "rm_pools", "rm_audit", "rm_audit_months", "rm_audit_subs", "rm_audit_payers"},
		Schema:  tables,
		Indexes: indexes,
	}
}
