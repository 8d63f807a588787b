// Package balances is the read model of each wallet's balance, and of each member's savings and ajo money.
package balances

import (
	_ "embed"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "balances"

//go:embed tables.sql
var tables string

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 6, Tables: []string{"rm_wallets", "rm_savings", "rm_ajo_balances"}, Fold: fold,
		Schema: tables,
	}
}
