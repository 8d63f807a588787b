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

// Webhook handles a gateway's webhook about incoming money. The webhook alone posts nothing: we ask the gateway, and
// compare its answer with the payment that we started.
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
		// Perhaps the bank does not know it yet either: it repeats a webhook that we refuse.
		return fault.New(fault.NotFound, "There is no such payment.")
	case n.Currency != rails.Naira || n.Amount != p.Gross():
		slog.Warn("payments: a webhook names another amount than its payment", "payment", reference)
		return fault.New(fault.Conflict, "This payment is for %s.", p.Gross())
	}
	_, err = s.follow(ctx, reference, p, status)
	return err
}

// askedOf asks the gateway about the money of a webhook. When the webhook's reference is not ours, we believe the
// reference that the gateway itself gives for the money.
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

// referred finds the payment of a provider's reference; the zero Payment when it is not ours or another provider
// collects it.
func (s *Service) referred(ctx context.Context, provider event.Provider, reference string) (string, wallet.Payment, error) {
	id, err := usecase.ParseID(reference, "payment")
	if err != nil {
		return reference, wallet.Payment{}, nil //nolint:nilerr // We did not make this reference.
	}
	p, err := s.payment(ctx, id)
	if err != nil || p.Provider != provider {
		return reference, wallet.Payment{}, err
	}
	return id, p, nil
}

// unsure removes the rail's own message, which says that nothing was taken: the payer may have paid by now.
func unsure(err error) error {
	if fault.Is(err, fault.Unavailable) {
		return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "We cannot learn just now whether your payment has arrived. Please try again shortly."), err)
	}
	return err
}

// Settle asks the gateway about a payment and records the answer. It returns the position of its record, 0 when there
// was nothing new. It also asks about expired and failed payments: their money may have come late.
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

// follow records a gateway's answer about a payment.
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
		// Its state is pending because we could not read an answer, or because the bank calls it pending forever.
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
		return 0, nil // It got another result meanwhile.
	}
	return result.Position(), err
}

// whole returns the confirmation together with the contribution that the payment was for.
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

// after runs the follow-up of a confirmed payment: an ajo's pot may be full now, and money in a wallet may pay debts.
// Whatever the result, the payment remains confirmed.
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

// waitsFor is how long after its time we still wait for a pending payment, by the bank's answer.
func waitsFor(said rails.State) time.Duration {
	if said == rails.Unknown {
		return unknownFor
	}
	return pendingFor
}

// SettleOpen asks about open payments until the context ends. It finds payments without a webhook, and lets old ones
// expire.
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
