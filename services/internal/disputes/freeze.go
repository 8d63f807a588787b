package disputes

import (
	"context"
	"errors"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// Frozen is whether a member froze their money.
func (s *Service) Frozen(ctx context.Context, user string) (Freeze, error) {
	a, err := s.AccountState(ctx, user)
	view := Freeze{Frozen: a.Frozen}
	if !a.Frozen {
		return view, err
	}
	var held money.Kobo
	for _, h := range a.FrozenHolds {
		held += h.Amount
	}
	view.Held = usecase.NairaPtr(held)
	if !a.ThawAt.IsZero() {
		at := a.ThawAt.UTC()
		view.ThawAt = &at
	}
	return view, err
}

// Freeze has nothing leave a member's wallet from now on.
func (s *Service) Freeze(ctx context.Context, who usecase.Who) (Freeze, int64, error) {
	id, _ := who.ID("freeze money")
	return s.changed(ctx, who, id, s.freezing(id, who.User, ""))
}

// Thaw has a member's money thawed in a day.
func (s *Service) Thaw(ctx context.Context, who usecase.Who) (Freeze, int64, error) {
	id, _ := who.ID("thaw money")
	return s.changed(ctx, who, id, account.AskThaw{User: who.User, Now: s.Now()})
}

func (s *Service) changed(ctx context.Context, who usecase.Who, id [16]byte, c event.Command) (Freeze, int64, error) {
	result, err := s.Record(ctx, who, id, who.User, store.Fingerprint(who.User), c)
	if err != nil {
		return Freeze{}, 0, err
	}
	view, err := s.Frozen(ctx, who.User)
	return view, result.Position(), err
}

// batch is how many a job takes from its list at once.
const batch = 500

// KeepClocks records which clocks of disputes ran out, keeps frozen what came in since, and thaws what is due. It is a
// job, and safe to repeat: what is done already is refused.
func (s *Service) KeepClocks(ctx context.Context) error {
	clocks := inBatches(func(d disputes.Dispute) string { return d.ID },
		func(after string) ([]disputes.Dispute, error) {
			return disputes.RanOut(ctx, s.Pool, s.Now(), after, batch)
		},
		func(list []disputes.Dispute, id func(disputes.Dispute) string) error {
			return items.Each(ctx, s.Job("clocks of disputes"), list, id, func(ctx context.Context, d disputes.Dispute) error {
				return s.system(ctx, d.ID, rules.Tick(d.ID, d.SubAccount, s.Now()))
			})
		})
	frozen := inBatches(func(f disputes.Frozen) string { return f.User },
		func(after string) ([]disputes.Frozen, error) {
			return disputes.FrozenMembers(ctx, s.Pool, after, batch)
		},
		func(list []disputes.Frozen, id func(disputes.Frozen) string) error {
			return items.Each(ctx, s.Job("frozen money"), list, id, s.keepFrozen)
		})
	return errors.Join(clocks, frozen)
}

// inBatches goes through a list in the order of its ids.
func inBatches[T any](id func(T) string, read func(after string) ([]T, error), each func([]T, func(T) string) error) error {
	var failed []error
	for after, more := "", true; more; {
		list, err := read(after)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		failed = append(failed, each(list, id))
		if more = len(list) == batch; more {
			after = id(list[batch-1])
		}
	}
	return errors.Join(failed...)
}

// keepFrozen sets aside what came into a frozen wallet since, or thaws it when its time has come.
func (s *Service) keepFrozen(ctx context.Context, f disputes.Frozen) error {
	a, err := s.AccountState(ctx, f.User)
	if err != nil {
		return err
	}
	if !a.ThawAt.IsZero() && !s.Now().Before(a.ThawAt) {
		return s.system(ctx, f.User, account.Thaw{User: f.User, Holds: a.FrozenHolds, Now: s.Now()})
	}
	keep := s.freezing(store.NewCommandID(), f.User, f.Dispute)
	keep.Keep = true
	return s.system(ctx, f.User, keep)
}

// system records what a job does. What the ledger refuses was done already, or is not to be done any more.
func (s *Service) system(ctx context.Context, about string, c event.Command) error {
	_, err := s.Record(ctx, usecase.System, store.NewCommandID(), about, store.Fingerprint(about), c)
	return usecase.UnlessConflict(err)
}
