package payments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	ledgerdues "adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// paymentLife is how long a payment may wait to be paid.
const paymentLife = 24 * time.Hour

// unknownFor is how long after its time we still wait for a pending payment that the bank does not know.
const unknownFor = time.Hour

// pendingFor is the same for a payment that the bank calls pending, or does not answer about. Money that the bank had
// in time is credited later too.
const pendingFor = 72 * time.Hour

// FundWallet starts a payment into the member's own wallet.
func (s *Service) FundWallet(ctx context.Context, who usecase.Who, amount wire.Naira, channel *RailChannel, use CardUse) (PaymentStart, int64, error) {
	k, err := usecase.Kobo("amount", amount)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	return s.start(ctx, who, "fund wallet", wallet.StartPayment{User: who.User, Channel: usecase.ChannelOf(channel), Amount: k}, use)
}

// PayIntoSubAccount starts a payment that goes straight to a sub-account. It is refused if the group would refuse the
// contribution now.
func (s *Service) PayIntoSubAccount(ctx context.Context, who usecase.Who, subAccountID string, amount wire.Naira, due dues.Due, channel *RailChannel, use CardUse) (PaymentStart, int64, error) {
	const operation = "pay sub-account"
	c, err := s.intoSubAccount(ctx, who, operation, subAccountID, amount, due, channel)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	return s.start(ctx, who, operation, c, use)
}

// intoSubAccount returns a payment for a sub-account, if the group would take the contribution now or took it before.
func (s *Service) intoSubAccount(ctx context.Context, who usecase.Who, operation, subAccountID string, amount wire.Naira, due dues.Due, channel *RailChannel) (wallet.StartPayment, error) {
	c, err := s.Dues.Contribution(ctx, who, subAccountID, amount, due)
	if err != nil {
		return wallet.StartPayment{}, err
	}
	command, _ := who.ID(operation)
	err = s.UnlessRecorded(ctx, command, func() error {
		_, err := s.Ledger.DryRun(ctx, ledgerdues.Prospect{Contribute: c})
		return err
	})
	if err != nil {
		return wallet.StartPayment{}, err
	}
	return wallet.StartPayment{
		User: who.User, Channel: usecase.ChannelOf(channel), Amount: c.Amount,
		For: &nairav1.ContributionPurpose{GroupId: c.GroupID, SubAccountId: c.SubAccountID, MonthId: int32(c.MonthID)}, Period: c.Period,
	}, nil
}

// start opens a payment and calls the bank or gateway for it.
func (s *Service) start(ctx context.Context, who usecase.Who, operation string, c wallet.StartPayment, use CardUse) (PaymentStart, int64, error) {
	at, err := s.check(ctx, who.User, use, c.Channel)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	quoted := s.collectedBy("", c)
	c = s.collectedBy(at, c)
	if charge, said := c.Tariff.Charge(c.Amount), quoted.Tariff.Charge(c.Amount); charge != said {
		return PaymentStart{}, 0, fault.New(fault.Conflict, "This card is kept at another gateway, which charges %s and not %s. Please pay on the card page.", charge, said)
	}
	view, pos, err := s.open(ctx, who, operation, c)
	if err != nil {
		return view, pos, err
	}
	p, err := s.payment(ctx, view.TransactionRef)
	if err != nil {
		return view, pos, err
	}
	settled, err := s.collect(ctx, who, view.TransactionRef, p, use)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	// The gateway's webhook may have come before its answer.
	if p, err = s.payment(ctx, view.TransactionRef); err != nil {
		return PaymentStart{}, 0, err
	}
	pos = max(pos, settled)
	view, err = s.paymentView(ctx, view.TransactionRef, p)
	return view, pos, err
}

// collectedBy adds the provider to a payment: the only one that can collect it, or else the one that takes new payments
// over its channel.
func (s *Service) collectedBy(only event.Provider, c wallet.StartPayment) wallet.StartPayment {
	by, known := s.Rails.Provider(only)
	if !known {
		by, _ = s.Rails.Collecting(c.Channel)
	}
	c.Provider, c.Tariff = by.ID, by.Collects[c.Channel]
	return c
}

// open records a payment. A retry does not open a second one.
func (s *Service) open(ctx context.Context, who usecase.Who, operation string, c wallet.StartPayment) (PaymentStart, int64, error) {
	command, _ := who.ID(operation)
	owner, err := s.AccountState(ctx, who.User)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	c.PaymentID, c.Cap = event.DeriveID(command, "payment").String(), s.Tiers[owner.Level()].Cap
	c.ExpiresAt = s.Present().Add(paymentLife)
	if c, err = s.counting(ctx, c); err != nil {
		return PaymentStart{}, 0, err
	}
	asked := []any{c.Channel, c.Amount, c.For.GetSubAccountId(), c.For.GetMonthId()}
	if c.ForAjo != nil {
		asked = append(asked, c.ForAjo.GetAjoId(), c.ForAjo.GetCycle(), c.ForAjo.GetSeat())
	}
	if c.Period != "" { // Payments from before this field existed keep their fingerprint.
		asked = append(asked, c.Period)
	}
	hash := store.Fingerprint(asked...)
	result, err := s.Record(ctx, who, command, c.PaymentID, hash, c)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	p, err := s.payment(ctx, c.PaymentID)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	view, err := s.paymentView(ctx, c.PaymentID, p)
	return view, result.Position(), err
}

// counting adds the payer's other open payments to a payment.
func (s *Service) counting(ctx context.Context, c wallet.StartPayment) (wallet.StartPayment, error) {
	state, err := s.Ledger.Load(ctx, wallet.UnderWayStream(c.User))
	if err == nil {
		c.UnderWay = state.(wallet.UnderWay).Payments
	}
	return c, err
}

func (s *Service) payment(ctx context.Context, id string) (wallet.Payment, error) {
	state, err := s.Ledger.Load(ctx, wallet.Stream(id))
	if err != nil {
		return wallet.Payment{}, err
	}
	return state.(wallet.Payment), nil
}

// instruct asks the gateway where the payer must pay, and stores the answer. It asks once: the card gateway refuses a
// reference that it knows, and a retry must get the first answer.
func (s *Service) instruct(ctx context.Context, who usecase.Who, id string, p wallet.Payment) error {
	known, err := s.kept().instructed(ctx, id)
	if err != nil || known || !p.Open() {
		return err // We send nobody to pay for a payment that has ended.
	}
	if _, charged, err := s.kept().choice(ctx, id); err != nil || charged {
		return err // A saved card was charged for it.
	}
	back := s.PublicURL + "/dashboard/wallet/?reference=" + id
	if p.For != nil {
		back = s.PublicURL + "/dashboard/sub-account/payment?groupId=" + p.For.GetGroupId() + "&subAccountId=" + p.For.GetSubAccountId() + "&reference=" + id
	}
	if p.ForAjo != nil {
		back = fmt.Sprintf("%s/dashboard/ajo/payment?ajoId=%s&cycle=%d&seat=%d&reference=%s", s.PublicURL, p.ForAjo.GetAjoId(), p.ForAjo.GetCycle(), p.ForAjo.GetSeat(), id)
	}
	collector, err := rails.As[rails.Collector](s.Rails, p.Provider)
	if err != nil {
		return err
	}
	to, err := collector.Start(ctx, rails.StartRequest{
		Reference: id, Amount: p.Gross(), Email: who.Email, CallbackURL: back, ExpiresAt: p.ExpiresAt,
	})
	if err != nil {
		return err
	}
	return s.kept().instruct(ctx, id, to, to.Mac(s.InstructionKey, id))
}

// errInstructions is the refusal when stored instructions may no longer be the gateway's, because somebody may have
// changed them.
var errInstructions = fault.New(fault.Conflict, "Where this payment is to be paid can no longer be confirmed. Do not pay it: start a new payment.")

// instructions returns the gateway's instructions for paying; empty when it was not asked.
func (s *Service) instructions(ctx context.Context, id string) (rails.Instructions, error) {
	to, mac, found, err := s.kept().instructions(ctx, id)
	if found && err == nil && !to.Holds(s.InstructionKey, id, mac) {
		slog.ErrorContext(ctx, "where a payment is to be paid is not what the gateway said: nobody is shown it", "payment", id)
		return rails.Instructions{}, errInstructions
	}
	return to, err
}

// paymentView is a payment as its payer sees it.
func (s *Service) paymentView(ctx context.Context, id string, p wallet.Payment) (PaymentStart, error) {
	view := PaymentStart{
		TransactionRef: id, Status: PaymentStartStatus(p.Status), Channel: RailChannel(usecase.ChannelName(p.Channel)),
		Amount: usecase.Naira(p.Amount), ExtraCharges: usecase.Naira(p.Charge), Total: usecase.Naira(p.Gross()),
		DateCreated: p.CreatedAt.UTC(), ExpiresAt: p.ExpiresAt.UTC(), Reason: usecase.OrNil(p.Reason), Purpose: usecase.OrNil("Your wallet"),
	}
	if p.For != nil {
		names, err := s.Names(ctx, []string{p.For.GetGroupId()}, []string{p.For.GetSubAccountId()})
		if err != nil {
			return view, err
		}
		view.GroupId, view.SubAccountId = usecase.OrNil(p.For.GetGroupId()), usecase.OrNil(p.For.GetSubAccountId())
		if month := int(p.For.GetMonthId()); month > 0 {
			view.MonthId = &month
		}
		view.Purpose = usecase.OrNil(names.Sub(p.For.GetGroupId(), p.For.GetSubAccountId()))
	}
	if p.ForAjo != nil {
		words, err := s.Ajo.Words(ctx, p.ForAjo)
		if err != nil {
			return view, err
		}
		cycle, seat := int(p.ForAjo.GetCycle()), int(p.ForAjo.GetSeat())
		view.Purpose, view.AjoId, view.Cycle, view.Seat = usecase.OrNil(words), usecase.OrNil(p.ForAjo.GetAjoId()), &cycle, &seat
	}
	view.ArrivedIn = arrivedIn(p)
	if !p.Open() {
		return view, nil // We send nobody to pay for a payment that has ended.
	}
	to, err := s.instructions(ctx, id)
	view.AccountNumber, view.AccountName, view.BankName, view.CheckoutUrl = usecase.OrNil(to.AccountNumber), usecase.OrNil(to.AccountName), usecase.OrNil(to.BankName), usecase.OrNil(to.CheckoutURL)
	return view, err
}

// arrivedIn returns the destination of a confirmed payment's money; nil for any other payment.
func arrivedIn(p wallet.Payment) *PaymentStartArrivedIn {
	in := InWallet
	switch {
	case p.Status != wallet.Confirmed:
		return nil
	case p.Refused:
	case p.For != nil:
		in = InSubAccount
	case p.ForAjo != nil:
		in = InAjo
	}
	return &in
}

// OpenPayments returns the member's payments that can still be paid, newest first.
func (s *Service) OpenPayments(ctx context.Context, user string) ([]PaymentStart, error) {
	out := []PaymentStart{}
	rows, err := activity.OpenPayments(ctx, s.Pool, user, 20)
	if err != nil || len(rows) == 0 {
		return out, err
	}
	streams, all := make([]string, len(rows)), make([]wallet.Payment, len(rows))
	for n, row := range rows {
		streams[n] = wallet.Stream(row.ID)
	}
	err = s.See(ctx, streams, nil, func(v event.View) {
		for n := range rows {
			all[n] = event.StateOf[wallet.Payment](v, streams[n])
		}
	})
	if err != nil {
		return nil, err
	}
	for n, row := range rows {
		if !all[n].Open() {
			continue // It ended a moment ago.
		}
		view, err := s.paymentView(ctx, row.ID, all[n])
		if errors.Is(err, errInstructions) {
			continue // The member can still pay the others.
		}
		if err != nil {
			return nil, err
		}
		out = append(out, view)
	}
	return out, nil
}

// Ties says, for a member who wants to leave Adashi, that a payment is open, and when it ends.
func (s *Service) Ties(ctx context.Context, user string) ([]string, error) {
	open, err := s.OpenPayments(ctx, user)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	var p PaymentStart
	var by time.Time // When the last of them ends.
	for _, one := range open {
		ends := one.ExpiresAt
		if one.Status == PaymentStartStatus(wallet.Pending) {
			ends = ends.Add(pendingFor)
		}
		if ends.After(by) {
			p, by = one, ends
		}
	}
	sum := "₦" + p.Amount.StringFixed(2)
	if s.Now().Before(by) {
		return []string{fmt.Sprintf("A payment of %s is still under way; it ends by itself by %s Lagos time.", sum, lagos.Clock(by))}, nil
	}
	return []string{fmt.Sprintf("A payment of %s is still under way, and its bank does not answer. It ends once we have asked the bank.", sum)}, nil
}

// own returns a member's own payment, and NotFound for somebody else's.
func (s *Service) own(ctx context.Context, user, id string) (string, wallet.Payment, error) {
	id, err := usecase.ParseID(id, "payment")
	if err != nil {
		return "", wallet.Payment{}, err
	}
	p, err := s.payment(ctx, id)
	if err == nil && p.User != user {
		err = fault.New(fault.NotFound, "There is no such payment.")
	}
	return id, p, err
}

// VerifyPayment asks the gateway about the member's payment and posts the answer.
func (s *Service) VerifyPayment(ctx context.Context, user, id string) (PaymentStart, int64, error) {
	id, _, err := s.own(ctx, user, id)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	pos, err := s.Settle(ctx, id)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	p, err := s.payment(ctx, id)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	view, err := s.paymentView(ctx, id, p)
	return view, pos, err
}
