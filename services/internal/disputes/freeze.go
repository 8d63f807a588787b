package disputes

import (
	"context"
	"errors"
	"log/slog"

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
	view, pos, err := s.changed(ctx, who, id, s.freezing(id, who.User, ""))
	if err == nil {
		s.stops(ctx, who.User)
	}
	return view, pos, err
}

// stops takes back what a member had asked for before the freeze. What fails now the job does.
func (s *Service) stops(ctx context.Context, user string) {
	if err := s.StopAll(ctx, user); err != nil {
		slog.WarnContext(ctx, "disputes: not all that was asked for before a freeze is stopped yet", "error", err)
	}
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

// KeepClocks records which clocks of disputes ran out, keeps frozen what came in since, and thaws what is due. It is a
// job, and safe to repeat: what is done already is refused.
func (s *Service) KeepClocks(ctx context.Context) error {
	const most = 500
	byDispute, byUser := func(d disputes.Dispute) string { return d.ID }, func(f disputes.Frozen) string { return f.User }
	clocks := items.EachOf(ctx, s.Job("clocks of disputes"), items.Pages[disputes.Dispute, string]{Most: most, At: byDispute, Key: byDispute, Read: func(after string, most int) ([]disputes.Dispute, error) {
		return disputes.RanOut(ctx, s.Pool, s.Now(), after, most)
	}}, func(ctx context.Context, d disputes.Dispute) error {
		tick := rules.Tick(d.ID, d.SubAccount, s.Now())
		if _, err := s.Ledger.DryRun(ctx, tick); err != nil { // So that no refusal is kept each time.
			return usecase.UnlessConflict(err)
		}
		return s.system(ctx, d.ID, tick)
	})
	frozen := items.EachOf(ctx, s.Job("frozen money"), items.Pages[disputes.Frozen, string]{Most: most, At: byUser, Key: byUser, Read: func(after string, most int) ([]disputes.Frozen, error) {
		return disputes.FrozenMembers(ctx, s.Pool, after, most)
	}}, s.keepFrozen)
	return errors.Join(clocks, frozen)
}

// keepFrozen sets aside what an earlier build let into a frozen wallet and stops what was asked for as it was frozen,
// or thaws the wallet when its time has come.
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
	return errors.Join(s.system(ctx, f.User, keep), s.StopAll(ctx, f.User))
}

// system records what a job does. What the ledger refuses was done already, or is not to be done any more.
func (s *Service) system(ctx context.Context, about string, c event.Command) error {
	_, err := s.Record(ctx, usecase.System, store.NewCommandID(), about, store.Fingerprint(about), c)
	return usecase.UnlessConflict(err)
}
