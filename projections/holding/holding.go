// Package holding is the read model of open holds: the amounts and their expiry.
package holding

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "holding"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_holds"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
