// Package requests is the read model of money that leaves groups: each request with its timeline, each sub-account's
// money, and the disputes of it.
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
		Name: Name, Version: 9, Fold: fold,
		Tables:  []string{"rm_requests", "rm_request_steps", "rm_pools", "rm_disputed_money"},
		Schema:  tables,
		Indexes: indexes,
	}
}
