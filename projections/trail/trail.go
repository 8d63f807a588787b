// Package trail is the read model that says which events name a member, a group or an ajo. Whoever replays one of them
// finds its events here and reads those alone. The rows say where to look, and no more: a reader looks at each event
// itself, since two subjects may share a key.
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

// Model is the read model. Of an event that names nobody it writes nothing, but it ignores no type: hardly any names
// nobody.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: version, Fold: fold,
		Tables:  []string{"rm_trail", "rm_trail_pools"},
		Schema:  tables,
		Indexes: indexes,
	}
}
