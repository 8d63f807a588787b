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

// Frozen reports whether a member froze their money.
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

// Freeze stops all money from leaving a member's wallet from now on.
func (s *Service) Freeze(ctx context.Context, who usecase.Who) (Freeze, int64, error) {
	id, _ := who.ID("freeze money")
	view, pos, err := s.changed(ctx, who, id, s.freezing(id, who.User, ""))
	if err == nil {
		s.stops(ctx, who.User)
	}
	return view, pos, err
}

// stops cancels the member's requests from before the freeze. The job repeats what fails now.
func (s *Service) stops(ctx context.Context, user string) {
	if err := s.StopAll(ctx, user); err != nil {
		slog.WarnContext(ctx, "disputes: not all that was asked for before a freeze is stopped yet", "error", err)
	}
}

// Thaw schedules a member's money to be thawed in a day.
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

// KeepClocks records passed deadlines of disputes, freezes money that came in since, and thaws wallets that are due. It
// is a job, and safe to repeat: the ledger refuses a repeated step.
func (s *Service) KeepClocks(ctx context.Context) error {
	const most = 500
	byDispute, byUser := func(d disputes.Dispute) string { return d.ID }, func(f disputes.Frozen) string { return f.User }
	clocks := items.EachOf(ctx, s.Job("clocks of disputes"), items.Pages[disputes.Dispute, string]{Most: most, At: byDispute, Key: byDispute, Read: func(after string, most int) ([]disputes.Dispute, error) {
		return disputes.RanOut(ctx, s.Pool, s.Now(), after, most)
	}}, func(ctx context.Context, d disputes.Dispute) error {
		tick := rules.Tick(d.ID, d.SubAccount, s.Now())
		if _, err := s.Ledger.DryRun(ctx, tick); err != nil { // So that we do not store a refusal each time.
			return usecase.UnlessConflict(err)
		}
		return s.system(ctx, d.ID, tick)
	})
	frozen := items.EachOf(ctx, s.Job("frozen money"), items.Pages[disputes.Frozen, string]{Most: most, At: byUser, Key: byUser, Read: func(after string, most int) ([]disputes.Frozen, error) {
		return disputes.FrozenMembers(ctx, s.Pool, after, most)
	}}, s.keepFrozen)
	return errors.Join(clocks, frozen)
}

// keepFrozen freezes money that an earlier build let into a frozen wallet and stops requests that were open then, or
// thaws the wallet when its time has come.
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

// system records a job's command. A refusal means that it was done already, or is no longer needed.
func (s *Service) system(ctx context.Context, about string, c event.Command) error {
	_, err := s.Record(ctx, usecase.System, store.NewCommandID(), about, store.Fingerprint(about), c)
	return usecase.UnlessConflict(err)
}
