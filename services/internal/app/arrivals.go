package app

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// confirm credits what the gateway has, or parks it where it fits no payment of ours that is open. Whatever tells of money,
// and by whichever of its names, it has one end: the ledger decides on the streams of all its names. p is the zero Payment
// for a reference that is none of ours.
func (a *App) confirm(ctx context.Context, channel nairav1.Channel, reference string, p wallet.Payment, s rails.Status) (int64, error) {
	if s.Currency != rails.Naira {
		slog.Error("payments: the gateway has another currency than naira; left for FinanceOps", "reference", reference, "currency", s.Currency)
		return 0, fault.New(fault.Conflict, "We take naira only.")
	}
	s, recorded, err := a.allNames(ctx, channel, s)
	switch {
	case err != nil:
		return 0, err
	case p.Status == wallet.None:
		return a.park(ctx, channel, reference, "No payment of ours has this reference.", s)
	case p.ProviderRef != "" && (p.ProviderRef == s.ProviderRef || slices.Contains(s.Also, p.ProviderRef)):
		return 0, nil
	}
	if err := a.keepCard(ctx, reference, p, s.Card); err != nil {
		return 0, err
	}
	confirm := wallet.ConfirmPayment{
		PaymentID: reference, User: p.User, Channel: channel, Gross: s.Amount, Fee: s.Fee, ProviderRef: s.ProviderRef, Also: s.Also, PaidAt: s.PaidAt,
	}
	then := a.Base.At(a.notAhead(s.PaidAt)) // Money counts from the bank's timestamp.
	result, err := then.Record(ctx, usecase.System, credit(channel, s.ProviderRef), reference, store.Fingerprint(reference, s.Amount), whole(confirm, p, then.Now()))
	if !fault.Is(err, fault.Conflict) {
		return result.Position(), err
	}
	slog.Warn("payments: the gateway's money does not fit its payment", "payment", reference, "error", err)
	reason, pos := err.Error(), int64(0)
	if !recorded {
		if pos, err = a.park(ctx, channel, reference, reason, s); err != nil {
			return pos, err
		}
	}
	if p.Open() { // Nothing more comes for it. One that this very money is credited to has ended by now.
		return pos, a.endedWithout(ctx, reference, reason)
	}
	return pos, nil
}

// endedWithout ends a payment whose money did not go to it.
func (a *App) endedWithout(ctx context.Context, reference, reason string) error {
	_, err := a.end(ctx, reference, wallet.EndPayment{PaymentID: reference, To: wallet.Failed, Reason: reason})
	return err
}

// notAhead is a bank's timestamp, but never later than now: a clock that is ahead would make dues look as if they had been
// paid after days that have not come, and shield them from their penalties.
func (a *App) notAhead(at time.Time) time.Time {
	now := a.Now()
	if !at.After(now) {
		return at
	}
	if at.Sub(now) > clockSkew {
		slog.Warn("payments: a bank's timestamp is in the future; it counts from now", "at", at)
	}
	return now
}

// clockSkew is how far two clocks may be apart before it is worth a word.
const clockSkew = time.Minute

// credit is the identity of money that a gateway has.
func credit(channel nairav1.Channel, providerRef string) uuid.UUID {
	return store.CommandID("system", "credit "+usecase.ChannelName(channel), providerRef)
}

// arrivalState is what the ledger knows of money by one name.
func (a *App) arrivalState(ctx context.Context, channel nairav1.Channel, providerRef string) (wallet.Arrival, error) {
	states := map[string]any{}
	for _, stream := range wallet.ArrivalStreams(channel, providerRef) {
		state, err := a.Ledger.Load(ctx, stream)
		if err != nil {
			return wallet.Arrival{}, err
		}
		states[stream] = state
	}
	_, arrival := wallet.ArrivalAt(func(stream string) any { return states[stream] }, channel, providerRef)
	return arrival, nil
}

// allNames adds the names that the ledger knows of money to those that a bank told, and reports whether it is recorded by any
// of them, also by a build that did not record names yet.
func (a *App) allNames(ctx context.Context, channel nairav1.Channel, s rails.Status) (_ rails.Status, recorded bool, err error) {
	s.Also = slices.Clone(s.Also)
	for i := -1; i < len(s.Also); i++ {
		name := s.ProviderRef
		if i >= 0 {
			name = s.Also[i]
		}
		arrival, err := a.arrivalState(ctx, channel, name)
		if err != nil {
			return s, false, err
		}
		recorded = recorded || arrival.Status != wallet.ArrivalNone && arrival.Status != wallet.ArrivalHeld
		if arrival.As != "" && arrival.As != s.ProviderRef && !slices.Contains(s.Also, arrival.As) {
			s.Also = append(s.Also, arrival.As)
		}
		credited, err := a.Ledger.Recorded(ctx, credit(channel, name))
		if err != nil {
			return s, false, err
		}
		recorded = recorded || credited
	}
	return s, recorded, nil
}

// park takes money into suspense, once, for FinanceOps to find out whose it is.
func (a *App) park(ctx context.Context, channel nairav1.Channel, reference, reason string, s rails.Status) (int64, error) {
	if credited, err := a.Ledger.Recorded(ctx, credit(channel, s.ProviderRef)); credited || err != nil {
		return 0, err // It is a payment's, from before money's names were recorded.
	}
	// What the gateway kept of it is not ours to give to anybody.
	result, err := a.Base.At(a.notAhead(s.PaidAt)).Record(ctx, usecase.System, store.CommandID("system", "unmatched "+usecase.ChannelName(channel), s.ProviderRef), reference,
		store.Fingerprint(reference, s.Amount-s.Fee), wallet.ReceiveUnmatched{
			ProviderRef: s.ProviderRef, Also: s.Also, Channel: channel, Amount: s.Amount - s.Fee, Reference: usecase.Plain(reference), PaidAt: s.PaidAt, Reason: reason,
		})
	if fault.Is(err, fault.Conflict) {
		return 0, nil // It is recorded already, by another of its names perhaps.
	}
	return result.Position(), err
}

// arrived takes a line of a statement that came in into the ledger, and answers the position, 0 when there was nothing to
// take. It is found by whatever the line has; where that is not enough, the bank is asked.
func (a *App) arrived(ctx context.Context, line bankLine) (int64, error) {
	reference, p, err := a.referred(ctx, line.channel, line.Reference)
	if err != nil {
		return 0, err
	}
	// A line of the bank's own statement is as good as its answer about the money.
	s := rails.Status{
		State: rails.Paid, Reference: reference, ProviderRef: line.ProviderRef, Also: line.Also, Amount: line.Amount, Fee: line.Fee, Currency: rails.Naira, PaidAt: line.At,
	}
	_, recorded, err := a.allNames(ctx, line.channel, s)
	switch {
	case err != nil:
		return 0, err
	case line.Nameless && recorded:
		return 0, nil
	case line.Nameless && (p.Status == wallet.None || p.ProviderRef != ""):
		return a.hold(ctx, line)
	case line.Nameless: // It is this payment's; the bank has the name by which it tells of it elsewhere.
		told, err := a.Rails[line.channel].Status(ctx, reference)
		if err != nil || told.State != rails.Paid {
			return 0, unsure(err) // It stays, and is tried again.
		}
		told.Also = append(slices.Clone(told.Also), line.ProviderRef)
		return a.confirm(ctx, line.channel, reference, p, told)
	case p.Status == wallet.None:
		told, err := a.Rails[line.channel].Arrived(ctx, rails.Notice{ProviderRef: line.ProviderRef, Amount: line.Amount, Currency: rails.Naira})
		if fault.As(err) != nil {
			return 0, unsure(err)
		}
		if err == nil && told.State == rails.Paid && told.ProviderRef == line.ProviderRef {
			told.Also = append(slices.Clone(told.Also), line.Also...)
			if s = told; line.Reference == "" {
				if reference, p, err = a.referred(ctx, line.channel, told.Reference); err != nil {
					return 0, err
				}
			}
		}
	}
	return a.confirm(ctx, line.channel, reference, p, s)
}

// hold leaves a line of a statement to a person.
func (a *App) hold(ctx context.Context, line bankLine) (int64, error) {
	_, err := a.Record(ctx, usecase.System, store.CommandID("system", "hold "+usecase.ChannelName(line.channel), line.ProviderRef), line.Reference, store.Fingerprint(line.ProviderRef), wallet.HoldArrival{
		ProviderRef: line.ProviderRef, Channel: line.channel, Amount: line.Amount - line.Fee, Reference: usecase.Plain(line.Reference), PaidAt: line.At,
		Reason: "The bank's statement has it under a number of its own, and nothing says whether we have it already.",
	})
	return 0, usecase.UnlessConflict(err)
}
