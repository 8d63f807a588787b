// Package activity is what a member sees of their own money: balances, every movement with its story and its proof, the
// dashboard, exports, and statements and receipts that anybody can check.
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
	Dues         *dues.Service         // Says what is due next.
	Payouts      *payouts.Service      // Tells the story of a withdrawal.
	Liquidations *liquidations.Service // And that of savings that were paid out.
	Totals       *balances.Together
	Proofs       *proofs.Reader
	PublicURL    string // Without a trailing slash.
}

// What the area's queries stand on.
var (
	MovementModels  = []string{activity.Name}
	SearchModels    = []string{activity.Name, groups.Name} // Which knows the names of what was paid into.
	DetailModels    = []string{activity.Name, payoutsmodel.Name}
	ReceiptModels   = []string{activity.Name, payoutsmodel.Name, requests.Name, ajos.Name} // Which know what became of a payment.
	DashboardModels = []string{activity.Name, groups.Name}
	BalanceModels   = []string{balances.Name, debts.Name}
)
