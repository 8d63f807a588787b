// Package payouts is how money leaves Adashi: a member's withdrawals to their own bank account, and sending what they
// and groups pay out, asking the bank about it until its end is known.
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
	Rails    *rails.Registry // One that was ever in use is asked to the end.
	Provider event.Provider  // Of new payouts.
	Payees
	Tiers    account.Tiers // What a member may withdraw.
	CardHold time.Duration // How long the money of a card stays before it may go to a bank.
}

// Payees answers where money goes.
type Payees interface {
	// Payee answers a member's own account, or refuses those who may not be paid.
	Payee(ctx context.Context, user string) (vault.Payee, error)
	// PayeeAt answers whose account it is that somebody named.
	PayeeAt(ctx context.Context, bankCode, number string) (vault.Payee, error)
}

// at answers a Service whose commands take effect at a moment.
func (s *Service) at(moment time.Time) *Service {
	then := *s
	then.Base = s.Base.At(moment)
	return &then
}

// ReadModels are the read models that withdrawals stand on.
var ReadModels = []string{payouts.Name}
