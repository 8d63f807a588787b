package payments

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// confirm credits money that the gateway has, or puts it into suspense when it fits no open payment of ours. Money is
// posted once, also if two sources report it under two of its names: the ledger decides on the streams of all names.
// p is the zero Payment when the reference is not ours.
func (s *Service) confirm(ctx context.Context, provider event.Provider, reference string, p wallet.Payment, status rails.Status) (int64, error) {
	if status.Currency != rails.Naira {
		slog.Error("payments: the gateway has another currency than naira; left for FinanceOps", "reference", reference, "currency", status.Currency)
		return 0, fault.New(fault.Conflict, "We take naira only.")
	}
	status, recorded, err := s.allNames(ctx, provider, status)
	switch {
	case err != nil:
		return 0, err
	case p.Status == wallet.None:
		return s.park(ctx, provider, reference, "No payment of ours has this reference.", status)
	case p.ProviderRef != "" && (p.ProviderRef == status.ProviderRef || slices.Contains(status.Also, p.ProviderRef)):
		return 0, nil
	}
	if err := s.keepCard(ctx, reference, p, status.Card); err != nil {
		return 0, err
	}
	confirm := wallet.ConfirmPayment{
		PaymentID: reference, User: p.User, Provider: provider, Gross: status.Amount, Fee: status.Fee, ProviderRef: status.ProviderRef, Also: status.Also, PaidAt: status.PaidAt,
	}
	then := s.Base.At(s.notAhead(status.PaidAt)) // Money counts from the bank's timestamp.
	whole, err := s.whole(ctx, confirm, p, then.Now())
	if err != nil {
		return 0, err
	}
	result, err := then.Record(ctx, usecase.System, credit(provider, status.ProviderRef), reference, store.Fingerprint(reference, status.Amount), whole)
	if err == nil && !result.Repeated {
		s.after(ctx, reference, p)
	}
	if !fault.Is(err, fault.Conflict) {
		return result.Position(), err
	}
	slog.Warn("payments: the gateway's money does not fit its payment", "payment", reference, "error", err)
	reason, pos := err.Error(), int64(0)
	if !recorded {
		if pos, err = s.park(ctx, provider, reference, reason, status); err != nil {
			return pos, err
		}
	}
	if p.Open() { // No more money comes for it. A payment that this very money was credited to has ended by now.
		return pos, s.endedWithout(ctx, reference, reason)
	}
	return pos, nil
}

// endedWithout ends a payment whose money did not go to it.
func (s *Service) endedWithout(ctx context.Context, reference, reason string) error {
	_, err := s.end(ctx, reference, wallet.EndPayment{PaymentID: reference, To: wallet.Failed, Reason: reason})
	return err
}

// notAhead is a bank's timestamp, but never later than now: a clock that is ahead would make dues look as if they had
// been paid after days that have not come, and shield them from their penalties.
func (s *Service) notAhead(at time.Time) time.Time {
	now := s.Now()
	if !at.After(now) {
		return at
	}
	if at.Sub(now) > ClockSkew {
		slog.Warn("payments: a bank's timestamp is in the future; it counts from now", "at", at)
	}
	return now
}

// ClockSkew is the difference between two clocks from which we warn.
const ClockSkew = time.Minute

// credit is the command id of money at a gateway.
func credit(provider event.Provider, providerRef string) uuid.UUID {
	return store.CommandID("system", "credit "+provider.Stored(), providerRef)
}

// ArrivalState returns the ledger's state of money under one name.
func (s *Service) ArrivalState(ctx context.Context, provider event.Provider, providerRef string) (wallet.Arrival, error) {
	states := map[string]any{}
	for _, stream := range wallet.ArrivalStreams(provider, providerRef) {
		state, err := s.Ledger.Load(ctx, stream)
		if err != nil {
			return wallet.Arrival{}, err
		}
		states[stream] = state
	}
	_, arrival := wallet.ArrivalAt(func(stream string) any { return states[stream] }, provider, providerRef)
	return arrival, nil
}

// allNames adds the names under which the ledger knows money to those that a bank gave, and reports whether it is
// recorded under any of them, also by a build that did not record names yet.
func (s *Service) allNames(ctx context.Context, provider event.Provider, status rails.Status) (_ rails.Status, recorded bool, err error) {
	status.Also = slices.Clone(status.Also)
	for i := -1; i < len(status.Also); i++ {
		name := status.ProviderRef
		if i >= 0 {
			name = status.Also[i]
		}
		arrival, err := s.ArrivalState(ctx, provider, name)
		if err != nil {
			return status, false, err
		}
		recorded = recorded || arrival.Status != wallet.ArrivalNone && arrival.Status != wallet.ArrivalHeld
		if arrival.As != "" && arrival.As != status.ProviderRef && !slices.Contains(status.Also, arrival.As) {
			status.Also = append(status.Also, arrival.As)
		}
		credited, err := s.Ledger.Recorded(ctx, credit(provider, name))
		if err != nil {
			return status, false, err
		}
		recorded = recorded || credited
	}
	return status, recorded, nil
}

// park puts money into suspense, once; FinanceOps find the owner.
func (s *Service) park(ctx context.Context, provider event.Provider, reference, reason string, status rails.Status) (int64, error) {
	if credited, err := s.Ledger.Recorded(ctx, credit(provider, status.ProviderRef)); credited || err != nil {
		return 0, err // It belongs to a payment from before money's names were recorded.
	}
	// The gateway's fee is not ours to give to anybody.
	result, err := s.Base.At(s.notAhead(status.PaidAt)).Record(ctx, usecase.System, store.CommandID("system", "unmatched "+provider.Stored(), status.ProviderRef), reference,
		store.Fingerprint(reference, status.Amount-status.Fee), wallet.ReceiveUnmatched{
			ProviderRef: status.ProviderRef, Also: status.Also, Provider: provider, Channel: s.Rails.Channel(provider), Amount: status.Amount - status.Fee, Reference: usecase.Plain(reference), PaidAt: status.PaidAt, Reason: reason,
		})
	if fault.Is(err, fault.Conflict) {
		return 0, nil // It is recorded already, perhaps under another of its names.
	}
	return result.Position(), err
}

// Arrived records a statement's line of incoming money, and returns the position, 0 when there was nothing to record.
// It finds the payment by any name on the line; when that is not enough, it asks the bank.
func (s *Service) Arrived(ctx context.Context, line BankLine) (int64, error) {
	from, unable := rails.As[rails.Collector](s.Rails, line.Provider)
	reference, p, err := s.referred(ctx, line.Provider, line.Reference)
	if err != nil {
		return 0, err
	}
	// A line of the bank's own statement is as reliable as its answer about the money.
	status := rails.Status{
		State: rails.Paid, Reference: reference, ProviderRef: line.ProviderRef, Also: line.Also, Amount: line.Amount, Fee: line.Fee, Currency: rails.Naira, PaidAt: line.At,
	}
	_, recorded, err := s.allNames(ctx, line.Provider, status)
	switch {
	case err != nil:
		return 0, err
	case line.Nameless && recorded:
		return 0, nil
	case line.Nameless && (p.Status == wallet.None || p.ProviderRef != ""):
		return s.hold(ctx, line)
	case line.Nameless && unable != nil:
		return 0, unable
	case line.Nameless: // It is this payment's; the bank knows the name that it uses elsewhere.
		told, err := from.Status(ctx, reference)
		if err != nil || told.State != rails.Paid {
			return 0, unsure(err) // It stays, and is tried again.
		}
		told.Also = append(slices.Clone(told.Also), line.ProviderRef)
		return s.confirm(ctx, line.Provider, reference, p, told)
	case p.Status == wallet.None && unable == nil:
		told, err := from.Arrived(ctx, rails.Notice{ProviderRef: line.ProviderRef, Amount: line.Amount, Currency: rails.Naira})
		if fault.As(err) != nil {
			return 0, unsure(err)
		}
		if err == nil && told.State == rails.Paid && told.ProviderRef == line.ProviderRef {
			told.Also = append(slices.Clone(told.Also), line.Also...)
			if status = told; line.Reference == "" {
				if reference, p, err = s.referred(ctx, line.Provider, told.Reference); err != nil {
					return 0, err
				}
			}
		}
	}
	return s.confirm(ctx, line.Provider, reference, p, status)
}

// hold leaves a line of a statement for a person to decide.
func (s *Service) hold(ctx context.Context, line BankLine) (int64, error) {
	_, err := s.Record(ctx, usecase.System, store.CommandID("system", "hold "+line.Provider.Stored(), line.ProviderRef), line.Reference, store.Fingerprint(line.ProviderRef), wallet.HoldArrival{
		ProviderRef: line.ProviderRef, Provider: line.Provider, Channel: s.Rails.Channel(line.Provider), Amount: line.Amount - line.Fee, Reference: usecase.Plain(line.Reference), PaidAt: line.At,
		Reason: "The bank's statement has it under a number of its own, and nothing says whether we have it already.",
	})
	return 0, usecase.UnlessConflict(err)
}

// BankLine is a line of a bank's statement.
type BankLine struct {
	Provider event.Provider
	rails.Line
}
