// Package standing is the read model of standing orders: their status, and the outcomes of their days.
package standing

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "standing"

// The statuses.
const (
	Active = "ACTIVE"
	Paused = "PAUSED"
	Ended  = "ENDED"
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
		Name: Name, Version: 1, Tables: []string{"rm_standing", "rm_standing_days"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}
