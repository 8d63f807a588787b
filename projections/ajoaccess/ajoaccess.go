// Package ajoaccess is the read model of requests for ajo access that wait for a decision.
package ajoaccess

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "ajoaccess"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_ajo_asks"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
