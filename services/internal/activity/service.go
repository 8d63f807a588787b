// Package activity is what a member sees of their own money: balances, every movement with its story and its proof, the
// dashboard, exports, and statements and receipts that anybody can check.
package activity

import (
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/projections/balances"
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
