// Package activity shows members their own money: balances, every movement with its story and its proof, the dashboard,
// exports, and statements and receipts that anybody can check.
package activity

import (
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/debts"
	"adashi.ng/projections/groups"
	payoutsmodel "adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/usecase"
)

// Service shows members their money.
type Service struct {
	*usecase.Base
	Membership   *membership.Reader
	Dues         *dues.Service         // Returns the next dues.
	Payouts      *payouts.Service      // Returns the story of a withdrawal.
	Liquidations *liquidations.Service // Returns the story of savings that were paid out.
	Totals       *balances.Together
	Proofs       *proofs.Reader
	PublicURL    string // Without a trailing slash.
}

// The read models of each query.
var (
	MovementModels  = []string{activity.Name}
	SearchModels    = []string{activity.Name, groups.Name} // groups knows the names of groups and sub-accounts.
	DetailModels    = []string{activity.Name, payoutsmodel.Name}
	ReceiptModels   = []string{activity.Name, payoutsmodel.Name, requests.Name, ajos.Name} // The others know a payment's present state.
	DashboardModels = []string{activity.Name, groups.Name}
	BalanceModels   = []string{balances.Name, debts.Name}
)
