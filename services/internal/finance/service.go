// Package finance is what Adashi's own staff see to: money that fits no payment, holding the ledger against the banks,
// proofs of reserves, and members' tiers.
package finance

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// Service is what FinanceOps work with.
type Service struct {
	*usecase.Base
	Payments *payments.Service                // Takes money in that a statement shows.
	Payouts  *payouts.Service                 // Asks about payouts that one shows.
	Tellers  map[nairav1.Channel]rails.Teller // Whom a reconciliation asks.
}

// UnmatchedModels are the read models that money of nobody known stands on.
var UnmatchedModels = []string{unmatched.Name}
