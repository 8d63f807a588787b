package payments

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// Webhook takes a gateway's word that money came. The word alone posts nothing: the gateway is asked, and what it says
// is held against the payment that we started.
func (s *Service) Webhook(ctx context.Context, provider event.Provider, n rails.Notice) error {
	reference, p, err := s.referred(ctx, provider, n.Reference)
	if err != nil || p.ProviderRef != "" && p.ProviderRef == n.ProviderRef {
		return err // It is in the ledger already.
	}
	status, err := s.askedOf(ctx, provider, n, p)
	if err != nil {
		return err
	}
	if p.Status == wallet.None {
		if reference, p, err = s.referred(ctx, provider, status.Reference); err != nil {
			return err
		}
	}
	if status.State == rails.Paid {
		_, err := s.confirm(ctx, provider, reference, p, status)
		return err
	}
	switch {
	case p.Status == wallet.None:
		// Perhaps the bank does not know yet either: it sends again what we do not accept.
		return fault.New(fault.NotFound, "There is no such payment.")
	case n.Currency != rails.Naira || n.Amount != p.Gross():
		slog.Warn("payments: a webhook names another amount than its payment", "payment", reference)
		return fault.New(fault.Conflict, "This payment is for %s.", p.Gross())
	}
	_, err = s.follow(ctx, reference, p, status)
	return err
}

// askedOf asks the gateway about money that a webhook told of. Where its reference is none of ours, what the gateway
// itself says that the money came for is believed.
func (s *Service) askedOf(ctx context.Context, provider event.Provider, n rails.Notice, p wallet.Payment) (rails.Status, error) {
	from, err := rails.As[rails.Collector](s.Rails, provider)
	if err != nil {
		return rails.Status{}, err
	}
	status, err := from.Arrived(ctx, n)
	if p.Status == wallet.None && n.Reference != "" && n.ProviderRef != "" && fault.As(err) == nil && (err != nil || status.State != rails.Paid) {
		n.Reference = ""
		status, err = from.Arrived(ctx, n)
	}
	return status, unsure(err)
}

// referred finds the payment that a provider's reference is of; the zero Payment when it is none of ours that it
// collects.
func (s *Service) referred(ctx context.Context, provider event.Provider, reference string) (string, wallet.Payment, error) {
	id, err := usecase.ParseID(reference, "payment")
	if err != nil {
		return reference, wallet.Payment{}, nil //nolint:nilerr // It is no reference that we made.
	}
	p, err := s.payment(ctx, id)
	if err != nil || p.Provider != provider {
		return reference, wallet.Payment{}, err
	}
	return id, p, nil
}

// unsure takes a rail's own sentence away, which says that nothing was taken: the payer may have paid by now.
func unsure(err error) error {
	if fault.Is(err, fault.Unavailable) {
		return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "We cannot learn just now whether your payment has arrived. Please try again shortly."), err)
	}
	return err
}

// Settle asks the gateway how a payment stands and records it. It answers the position of what it recorded, 0 when
// there was nothing new. One that expired or failed is asked about too: its money may have come late.
func (s *Service) Settle(ctx context.Context, id string) (int64, error) {
	p, err := s.payment(ctx, id)
	if err != nil || p.Status == wallet.None || p.Status == wallet.Confirmed || p.Status == wallet.Reversed {
		return 0, err
	}
	from, err := rails.As[rails.Collector](s.Rails, p.Provider)
	if err != nil {
		return 0, err
	}
	status, err := from.Status(ctx, id)
	if err != nil {
		return 0, unsure(err)
	}
	return s.follow(ctx, id, p, status)
}

// follow records what a gateway said of a payment.
func (s *Service) follow(ctx context.Context, id string, p wallet.Payment, status rails.Status) (int64, error) {
	switch {
	case status.State == rails.Paid:
		return s.confirm(ctx, p.Provider, id, p, status)
	case !p.Open():
		return 0, nil
	case status.State == rails.Failed:
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: usecase.Plain(status.Reason)})
	case status.State == rails.Unknown && p.Status == wallet.Pending && s.Now().After(p.ExpiresAt.Add(unknownFor)):
		// It became pending on an answer that we could not read, and nothing ever came.
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: "No money came in time."})
	case status.State == rails.Pending && p.Status == wallet.Initiated && p.Channel == nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Pending})
	case p.Status == wallet.Initiated && !s.Now().Before(p.ExpiresAt):
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Expired, Now: s.Now()})
	default:
		return 0, nil
	}
}

// TakenBack asks a provider what was taken back of a payment and takes it from the wallet. It answers the position of
// what it recorded, 0 when there was nothing new. A payment that we do not know of is left to the reconciliation.
func (s *Service) TakenBack(ctx context.Context, provider event.Provider, reference string) (pos int64, err error) {
	from, err := rails.As[rails.Reverser](s.Rails, provider)
	if err != nil {
		return 0, err
	}
	id, p, err := s.referred(ctx, provider, reference)
	if err != nil || p.Status == wallet.None {
		return 0, err
	}
	back, err := from.Reversals(ctx, id)
	if err != nil || len(back) == 0 {
		return 0, unsure(err)
	}
	if _, err := s.Settle(ctx, id); err != nil { // The payment itself may not have been told of yet.
		return 0, err
	}
	asked, err := s.askedFor(ctx, from, id)
	if err != nil {
		return 0, err
	}
	for _, r := range back {
		at := s.notAhead(r.At)
		reversal := wallet.ReversePayment{
			PaymentID: id, User: p.User, Provider: provider, Gross: r.Gross, FeeBack: r.FeeBack, ProviderRef: r.ProviderRef,
			Reason: usecase.Plain(r.Reason), AskedFor: asked, At: at,
		}
		now, err := s.takeBack(ctx, at, reversal, p)
		if err != nil {
			return pos, err
		}
		pos = max(pos, now)
	}
	return pos, nil
}

// takeBackTries is how often a reversal is decided again when what is held of the wallet changed meanwhile.
const takeBackTries = 3

// takeBack records a reversal, out of what is held of the wallet too.
func (s *Service) takeBack(ctx context.Context, at time.Time, reversal wallet.ReversePayment, p wallet.Payment) (pos int64, err error) {
	var c event.Command = reversal
	if p.ForAjo != nil {
		c = s.Ajo.TakenBack(reversal, p)
	}
	id := store.CommandID("system", "take back "+reversal.Provider.Stored(), reversal.ProviderRef)
	for range takeBackTries {
		whole := payout.TakenBack{Command: c, User: p.User}
		owner, failed := s.AccountState(ctx, p.User)
		if failed == nil {
			whole.Unsent, failed = s.Unsent(ctx, p.User)
		}
		if failed != nil {
			return 0, failed
		}
		whole.Frozen = owner.FrozenHolds
		var result store.Result
		result, err = s.Base.At(at).Record(ctx, usecase.System, id, reversal.PaymentID, store.Fingerprint(reversal.PaymentID, reversal.Gross), whole)
		if err == nil || fault.Is(err, fault.Conflict) {
			return result.Position(), nil
		}
		if !fault.Is(err, fault.Unavailable) {
			return 0, err
		}
	}
	return 0, err
}

// askedFor reports whether what went back was given back because the member asked for it: no card's bank took it.
func (s *Service) askedFor(ctx context.Context, from rails.Reverser, reference string) (bool, error) {
	disputer, is := from.(rails.CardDisputer)
	if !is {
		return false, nil
	}
	all, err := disputer.CardDisputesOf(ctx, reference)
	return !slices.ContainsFunc(all, func(d rails.CardDispute) bool { return d.Upheld }), unsure(err)
}

func (s *Service) end(ctx context.Context, id string, c wallet.EndPayment) (int64, error) {
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", "payment "+string(c.To), id), id, store.Fingerprint(id, c.To), c)
	if fault.Is(err, fault.Conflict) {
		return 0, nil // It came to something else meanwhile.
	}
	return result.Position(), err
}

// whole is the confirmation, with the contribution that the payment was for.
func (s *Service) whole(ctx context.Context, confirm wallet.ConfirmPayment, p wallet.Payment, now time.Time) (event.Command, error) {
	if p.ForAjo != nil {
		return s.Ajo.When(now).ByPayment(ctx, confirm, p)
	}
	if p.For == nil {
		return confirm, nil
	}
	return dues.ContributeByPayment{Confirm: confirm, Contribute: dues.Contribute{
		GroupID: p.For.GetGroupId(), SubAccountID: p.For.GetSubAccountId(), User: p.User, Amount: p.Amount,
		MonthID: int(p.For.GetMonthId()), Channel: p.Channel, PaymentID: confirm.PaymentID, At: now,
	}}, nil
}

// after does what follows a payment that came: an ajo's pot may be full now, and what came into a wallet may pay debts
// there. Whatever comes of it, the payment stands.
func (s *Service) after(ctx context.Context, id string, p wallet.Payment) {
	if p.ForAjo != nil {
		s.Ajo.SettledBy(ctx, p.ForAjo)
		return
	}
	if p.For == nil {
		if err := s.Ajo.Swept(ctx, p.User, p.Amount, id); err != nil {
			slog.WarnContext(ctx, "payments: debts were not paid out of what came", "payment", id, "error", err)
		}
	}
}

// SettleOpen asks about payments that are open, for as long as the context lets it: for what no webhook told, and to
// let old ones expire.
func (s *Service) SettleOpen(ctx context.Context) error {
	open, err := activity.AnyOpenPayments(ctx, s.Pool, 500)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("settle open payments"), open, func(p activity.Payment) string { return p.ID }, func(ctx context.Context, p activity.Payment) error {
		_, err := s.Settle(ctx, p.ID)
		return err
	})
}
