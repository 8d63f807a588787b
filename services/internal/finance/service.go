// Package finance is the work of Adashi's finance staff: money that fits no payment, comparing the ledger with the
// banks, proofs of reserves, and members' tiers.
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

// Service is the desk of FinanceOps.
type Service struct {
	*usecase.Base
	Membership  *membership.Reader // Finds the holder of a bank account.
	Payments    *payments.Service  // Records incoming money that a statement shows.
	Liabilities *reserves.Service  // Commits to the sum that Adashi owes.
	Payouts     *payouts.Service   // Asks about payouts that a statement shows.
	Rails       *rails.Registry    // A reconciliation asks those that implement Teller.
}

// UnmatchedModels are the read models of money without a known owner.
var UnmatchedModels = []string{unmatched.Name}
