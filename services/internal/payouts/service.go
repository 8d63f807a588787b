// Package payouts moves money out of Adashi: members withdraw to their own bank accounts, and jobs send the payouts of
// members and groups and ask the bank about each until it has a final result.
package payouts

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/payouts"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Service sends money out.
type Service struct {
	*usecase.Base
	Rails    *rails.Registry // Every provider that was ever in use: we ask it until its last payout ends.
	Provider event.Provider  // The provider of new payouts.
	Payees
	Tiers    account.Tiers // The withdrawal limits of members.
	CardHold time.Duration // How long money from a card must stay before it may go to a bank.
}

// Payees returns the accounts that payouts go to.
type Payees interface {
	// Payee returns a member's own account, or refuses a member who may not be paid.
	Payee(ctx context.Context, user string) (vault.Payee, error)
	// PayeeAt returns the holder of an account that somebody named.
	PayeeAt(ctx context.Context, bankCode, number string) (vault.Payee, error)
}

// at returns a Service whose commands take effect at a moment.
func (s *Service) at(moment time.Time) *Service {
	then := *s
	then.Base = s.Base.At(moment)
	return &then
}

// ReadModels are the read models that withdrawals use.
var ReadModels = []string{payouts.Name}
