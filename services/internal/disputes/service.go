// Package disputes is what members do about something that is wrong with their money, and the desk of Support that
// finds out. It looks for the money first, keeps the clocks, and freezes a member's wallet when somebody else uses it.
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
	Requests *liquidations.Service // Shows a payout of a group to who may see it.
	// StopAll takes back what somebody who froze their account asked for and that no bank was told of.
	StopAll func(ctx context.Context, user string) error
	Rails   *rails.Registry
	// PublicURL is where letters lead, without a trailing slash.
	PublicURL string
}

// ReadModels are the read models that disputes are shown from.
var ReadModels = []string{disputes.Name}

// Said is what is written about a dispute elsewhere.
func (s *Service) Said(command uuid.UUID, user, text string, least int) (usecase.Said, error) {
	text, err := usecase.ReadWords(text, least, 2000)
	if err != nil {
		return usecase.Said{}, err
	}
	return usecase.Say(command, user, text), nil
}

// dispute is a dispute as it stands in the ledger.
func (s *Service) dispute(ctx context.Context, id string) (rules.Dispute, error) {
	state, err := s.Ledger.Load(ctx, rules.Stream(id))
	if err != nil {
		return rules.Dispute{}, err
	}
	return state.(rules.Dispute), nil
}

// did waits until a dispute can be shown as a command left it.
func (s *Service) did(ctx context.Context, result store.Result) {
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, ReadModels...)
}

// ofCard is the kind of a dispute that the bank of a card has: no member chose one.
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

// Ties says that a dispute is open of somebody who wants to leave Adashi.
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
