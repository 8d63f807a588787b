package payments

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
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
	case status.State == rails.Paid && status.WentBack:
		return s.cameAndWent(ctx, id, p, status)
	case status.State == rails.Paid:
		return s.confirm(ctx, p.Provider, id, p, status)
	case !p.Open():
		return 0, nil
	case status.State == rails.Failed:
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: usecase.Plain(status.Reason)})
	case p.Status == wallet.Pending && s.Now().After(p.ExpiresAt.Add(waitsFor(status.State))):
		// It became pending on an answer that we could not read, or the bank calls it pending for ever.
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: wallet.NothingCame})
	case status.State == rails.Pending && p.Status == wallet.Initiated && p.Channel == nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Pending})
	case p.Status == wallet.Initiated && !s.Now().Before(p.ExpiresAt):
		return s.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Expired, Now: s.Now()})
	default:
		return 0, nil
	}
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
		MonthID: int(p.For.GetMonthId()), Period: p.Period, Channel: p.Channel, PaymentID: confirm.PaymentID, At: now,
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

// waitsFor is how long after its time a pending payment is still waited for, by what its bank says of it.
func waitsFor(said rails.State) time.Duration {
	if said == rails.Unknown {
		return unknownFor
	}
	return pendingFor
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
