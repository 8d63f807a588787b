// Package trail is the read model that lists which events name a member, a group or an ajo. A replay finds the
// subject's events here and reads only those. The rows only say where to look: a reader checks each event itself, since
// two subjects may share a key.
package trail

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "trail"

const version = 1

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model. For an event that names no subject it writes nothing, but it ignores no type: almost every
// event names one.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: version, Fold: fold,
		Tables:  []string{"rm_trail", "rm_trail_pools"},
		Schema:  tables,
		Indexes: indexes,
	}
}
