// Package finance is what Adashi's own staff see to: money that fits no payment, holding the ledger against the banks,
// proofs of reserves, and members' tiers.
package finance

import (
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/reserves"
	"adashi.ng/services/internal/usecase"
)

// Service is what FinanceOps work with.
type Service struct {
	*usecase.Base
	Membership  *membership.Reader // Knows whose bank account is whose.
	Payments    *payments.Service  // Takes money in that a statement shows.
	Liabilities *reserves.Service  // Commits to what is owed.
	Payouts     *payouts.Service   // Asks about payouts that one shows.
	Rails       *rails.Registry    // Those that tell what they hold for us are asked by a reconciliation.
}

// UnmatchedModels are the read models that money of nobody known stands on.
var UnmatchedModels = []string{unmatched.Name}
