// Package payments takes money in: payments into a wallet or straight to a sub-account, by bank transfer, by card or
// with a saved card, the reports of banks and gateways about them, and money that fits no payment.
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
	Dues  *dues.Service // Checks payments for a sub-account.
	Ajo   *ajo.Service  // Checks payments for an ajo.
	Rails *rails.Registry
	Saved SavedCards
	// InstructionKey proves that stored payment instructions are the gateway's; it is not in the database.
	InstructionKey []byte
	PublicURL      string        // Without a trailing slash.
	Tiers          account.Tiers // The limits of a wallet.
	// Unsent returns a member's withdrawals that no bank has received.
	Unsent func(ctx context.Context, user string) ([]string, error)
}

// SavedCards keeps members' cards.
type SavedCards interface {
	// Card returns a member's saved card, NotFound when it is not theirs.
	Card(ctx context.Context, user, id string) (rails.Card, error)
	// KeepCard saves a card that the member paid with.
	KeepCard(ctx context.Context, user string, card rails.Card) error
}

// ReadModels are the read models that open payments use.
var ReadModels = []string{activity.Name}
