package disputes

import (
	"context"
	"errors"
	"slices"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/store"
)

// entriesAtOnce limits how many of a member's events are read at once.
const entriesAtOnce = 500

// concern refuses the entries of an outcome unless each is an event of the ledger that concerns the member.
func (s *Service) concern(ctx context.Context, user string, entries []string) error {
	left := slices.Clone(entries)
	for before := int64(0); len(left) > 0; {
		steps, err := s.Reader.Steps(ctx, replay.Subject{Member: user}, before, entriesAtOnce, true)
		var archived *history.ArchivedError
		switch {
		case errors.As(err, &archived):
			return fault.New(fault.Conflict, "The events from position %d to %d are archived. Ask an operator to attach their archive, or name no entry of that time.", archived.From, archived.To)
		case err != nil && !errors.Is(err, replay.ErrUnknown):
			return err
		}
		for _, step := range steps {
			id := step.Record.ID().String()
			left = slices.DeleteFunc(left, func(entry string) bool { return entry == id })
		}
		if len(steps) < entriesAtOnce {
			break
		}
		before = steps[0].Record.Pos
	}
	if len(left) > 0 {
		return fault.Field("entries", "The entry %s is not in the ledger, or does not concern the member of this case. Name entries that the time machine shows of the member.", left[0])
	}
	return nil
}

// holdsUpheld returns the commands that hold the payout of a case, when it is decided for the member.
func (s *Service) holdsUpheld(ctx context.Context, id string, upheld bool) (store.Bulk, error) {
	d, err := s.dispute(ctx, id)
	payout := d.Payout()
	if err != nil || !upheld || payout == "" {
		return nil, err
	}
	l, err := s.LiquidationState(ctx, payout)
	of := liquidation.About(payout, l)
	if err != nil || liquidation.HeldForCase(of, l) == nil {
		return nil, err
	}
	return store.Bulk{rules.HoldUpheld{DisputeID: id, Of: of}}, nil
}
