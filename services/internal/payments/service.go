// Package payments is how money comes in: a payment into a wallet or straight to a sub-account, by bank transfer, by
// card or with a saved card, what banks and gateways tell of it, and money that fits no payment.
package payments

import (
	"context"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// Service takes payments in.
type Service struct {
	*usecase.Base
	Dues  *dues.Service // Says what a payment for a sub-account may be.
	Ajo   *ajo.Service  // The same of a payment for an ajo.
	Rails *rails.Registry
	Saved SavedCards
	// InstructionKey proves where payments are to be paid; it is not in the database.
	InstructionKey []byte
	PublicURL      string        // Without a trailing slash.
	Tiers          account.Tiers // What a wallet may hold.
	// Unsent answers a member's withdrawals of which no bank was told.
	Unsent func(ctx context.Context, user string) ([]string, error)
}

// SavedCards keeps members' cards.
type SavedCards interface {
	// Card answers a member's saved card, NotFound when it is not theirs.
	Card(ctx context.Context, user, id string) (rails.Card, error)
	// KeepCard keeps one that they paid with.
	KeepCard(ctx context.Context, user string, card rails.Card) error
}

// ReadModels are the read models that open payments stand on.
var ReadModels = []string{activity.Name}
