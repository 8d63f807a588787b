// Package disputes lets members report that something is wrong with their money, and gives Support the desk to
// investigate. It first looks for the money, keeps the deadlines, and freezes a member's wallet when a thief uses
// it.
package disputes

import (
	"context"
	"strings"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// Service is both sides of a dispute.
type Service struct {
	*usecase.Base
	Reader   *replay.Reader        // Finds the entries that an outcome names.
	Requests *liquidations.Service // Shows a payout of a group to people who may see it.
	// StopAll cancels the unsent requests of a person who froze their account.
	StopAll func(ctx context.Context, user string) error
	Rails   *rails.Registry
	// PublicURL is the base of links in letters, without a trailing slash.
	PublicURL string
}

// ReadModels are the read models of disputes.
var ReadModels = []string{disputes.Name}

// Said checks a text about a dispute, which is stored outside the ledger.
func (s *Service) Said(command uuid.UUID, user, text string, least int) (usecase.Said, error) {
	text, err := usecase.ReadWords(text, least, 2000)
	if err != nil {
		return usecase.Said{}, err
	}
	return usecase.Say(command, user, text), nil
}

// dispute returns the ledger's state of a dispute.
func (s *Service) dispute(ctx context.Context, id string) (rules.Dispute, error) {
	state, err := s.Ledger.Load(ctx, rules.Stream(id))
	if err != nil {
		return rules.Dispute{}, err
	}
	return state.(rules.Dispute), nil
}

// did waits until the read models show a command's result.
func (s *Service) did(ctx context.Context, result store.Result) {
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, ReadModels...)
}

// ofCard is the kind of a card bank's dispute: no member chose one.
const ofCard = nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED

const kindPrefix = "DISPUTE_KIND_"

func kindOf(name DisputeKind) (nairav1.DisputeKind, error) {
	kind := nairav1.DisputeKind(nairav1.DisputeKind_value[kindPrefix+string(name)])
	if kind == nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED {
		return kind, fault.Field("kind", "Say what is wrong.")
	}
	return kind, nil
}

func nameOf(kind nairav1.DisputeKind) DisputeKind {
	if kind == ofCard {
		return CARD
	}
	return DisputeKind(strings.TrimPrefix(kind.String(), kindPrefix))
}

// Ties says, for a person who wants to leave Adashi, that a dispute is open.
func (s *Service) Ties(ctx context.Context, user string) ([]string, error) {
	state, err := s.Ledger.Load(ctx, rules.MemberStream(user))
	if err != nil {
		return nil, err
	}
	if len(state.(rules.Disputes).Open) > 0 {
		return []string{"A dispute of yours is open: wait until it is decided, or take it back."}, nil
	}
	return nil, nil
}
