package payments

import (
	"context"
	"errors"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// CardUse is a payer's choice for a card payment; the zero value is neither.
type CardUse struct {
	Saved string // The id of a saved card that is charged at once.
	Keep  bool   // The payer agrees that the card is kept for next time.
}

// UseCard reads a form's choice.
func UseCard(saved *string, keep *bool) CardUse {
	var use CardUse
	if saved != nil {
		use.Saved = *saved
	}
	use.Keep = keep != nil && *keep
	return use
}

// check refuses a choice that is not valid for a payment over a channel, before anything is recorded. It returns the
// only provider that can charge the chosen saved card; none when no card was chosen.
func (s *Service) check(ctx context.Context, user string, use CardUse, channel nairav1.Channel) (event.Provider, error) {
	switch {
	case use == CardUse{}:
		return "", nil
	case channel != nairav1.Channel_CHANNEL_CARD:
		return "", fault.Field("channel", "Only a payment by card can use or keep a card.")
	case use.Saved == "":
		return "", nil
	}
	card, err := s.Saved.Card(ctx, user, use.Saved)
	return card.Provider, err
}

// collect calls the bank or gateway for a payment: it charges the saved card, or gets the instructions for any other
// payer. It returns the position of the gateway's immediate result, 0 for none.
func (s *Service) collect(ctx context.Context, who usecase.Who, id string, p wallet.Payment, use CardUse) (int64, error) {
	if use.Keep {
		if err := s.kept().keep(ctx, id); err != nil {
			return 0, err
		}
	}
	if use.Saved == "" {
		return 0, s.instruct(ctx, who, id, p)
	}
	return s.chargeSaved(ctx, id, p, use)
}

// chargeSaved charges a saved card, once: a repeated call only gets the result.
func (s *Service) chargeSaved(ctx context.Context, id string, p wallet.Payment, use CardUse) (int64, error) {
	if !p.Open() {
		return 0, nil
	}
	card, err := s.Saved.Card(ctx, p.User, use.Saved)
	if err != nil {
		return 0, err
	}
	charger, err := rails.As[rails.CardCharger](s.Rails, p.Provider)
	if err != nil {
		return 0, err
	}
	sent, err := s.kept().instructed(ctx, id)
	if err != nil {
		return 0, err
	}
	if sent {
		return 0, fault.New(fault.Conflict, "The card page of this payment is open. Pay there, or start a new payment.")
	}
	first, err := s.kept().charge(ctx, id, s.Present())
	if err != nil {
		return 0, err
	}
	if first {
		err := charger.ChargeCard(ctx, rails.ChargeRequest{Reference: id, Amount: p.Gross(), Card: card})
		if fault.Is(err, fault.Unavailable) { // The gateway was never reached: the payer may try again.
			return 0, errors.Join(err, s.kept().uncharge(ctx, id))
		}
		if err != nil {
			return 0, err
		}
	}
	pos, err := s.Settle(ctx, id)
	if fault.Is(err, fault.Unavailable) {
		return 0, nil // Charged or not, we show the payment as it is and ask again.
	}
	return pos, err
}

// keepCard keeps the card of a payment whose payer agreed to it.
func (s *Service) keepCard(ctx context.Context, id string, p wallet.Payment, card *rails.Card) error {
	if card == nil || !p.Open() {
		return nil
	}
	keep, _, err := s.kept().choice(ctx, id)
	if err != nil || !keep {
		return err
	}
	payer, err := s.AccountState(ctx, p.User)
	if err != nil || payer.Stolen(p.CreatedAt) { // The owner, who has the account back, did not agree to it.
		return err
	}
	kept := *card
	kept.Provider = p.Provider
	err = s.Saved.KeepCard(ctx, p.User, kept)
	if fault.Is(err, fault.NotFound) {
		return nil // We keep nothing of a member who has left.
	}
	return err
}

// GenerateReference opens a payment for the wallet, or for the named sub-account, and calls no gateway yet.
func (s *Service) GenerateReference(ctx context.Context, who usecase.Who, form GenerateReferenceRequest) (PaymentStart, int64, error) {
	if form.SubAccountId != nil && *form.SubAccountId != "" {
		c, err := s.intoSubAccount(ctx, who, "generate reference", *form.SubAccountId, form.Amount, dues.DueOf(form.MonthId, form.Period), form.Channel)
		if err != nil {
			return PaymentStart{}, 0, err
		}
		return s.open(ctx, who, "generate reference", s.collectedBy("", c))
	}
	k, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	if form.AjoId != nil && *form.AjoId != "" {
		purpose, err := s.Ajo.Purpose(ctx, who, *form.AjoId, form.Cycle, form.Seat, k)
		if err != nil {
			return PaymentStart{}, 0, err
		}
		return s.open(ctx, who, "generate reference", s.collectedBy("", wallet.StartPayment{User: who.User, Channel: usecase.ChannelOf(form.Channel), Amount: k, ForAjo: purpose}))
	}
	return s.open(ctx, who, "generate reference", s.collectedBy("", wallet.StartPayment{User: who.User, Channel: usecase.ChannelOf(form.Channel), Amount: k}))
}

// MakePayment starts a payment that GenerateReference opened. The amount is its total, as the payer saw it.
func (s *Service) MakePayment(ctx context.Context, who usecase.Who, form MakePaymentRequest) (PaymentStart, int64, error) {
	id, p, err := s.own(ctx, who.User, form.TransactionRef)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	total, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	use := UseCard(form.CardId, form.SaveCard)
	if total != p.Gross() {
		return PaymentStart{}, 0, fault.New(fault.Conflict, "This payment is %s in all: %s and charges of %s. Please look at it again before you pay.", p.Gross(), p.Amount, p.Charge)
	}
	at, err := s.check(ctx, who.User, use, p.Channel)
	if err == nil && at != "" && at != p.Provider {
		err = fault.New(fault.Conflict, "This saved card cannot pay this payment, which another card company takes. Please go back and start a new payment with the card.")
	}
	if err != nil {
		return PaymentStart{}, 0, err
	}
	pos, err := s.collect(ctx, who, id, p, use)
	if err != nil {
		return PaymentStart{}, 0, err
	}
	if p, err = s.payment(ctx, id); err != nil {
		return PaymentStart{}, 0, err
	}
	view, err := s.paymentView(ctx, id, p)
	return view, pos, err
}

// QuotePayment returns the cost of paying an amount in, or the refusal that the payment would get.
func (s *Service) QuotePayment(ctx context.Context, user, amount string, channel *RailChannel) (PaymentQuote, error) {
	k, err := usecase.ReadNaira("amount", amount)
	if err != nil {
		return PaymentQuote{}, err
	}
	c := s.collectedBy("", wallet.StartPayment{PaymentID: "quote", User: user, Channel: usecase.ChannelOf(channel), Amount: k, ExpiresAt: s.Now()})
	owner, err := s.AccountState(ctx, user)
	if err != nil {
		return PaymentQuote{}, err
	}
	c.Cap = s.Tiers[owner.Level()].Cap
	if c, err = s.counting(ctx, c); err != nil {
		return PaymentQuote{}, err
	}
	drafts, err := s.Ledger.DryRun(ctx, c)
	if err != nil {
		return PaymentQuote{}, err
	}
	quoted := drafts[0].Message.(*nairav1.PaymentInitiatedV2)
	return PaymentQuote{
		Channel: RailChannel(usecase.ChannelName(c.Channel)), Amount: usecase.Naira(k), ExtraCharges: usecase.NairaOf(quoted.GetChargeKobo()),
		Total: usecase.NairaOf(quoted.GetAmountKobo() + quoted.GetChargeKobo()), FeeTable: int(quoted.GetFeeTable()),
	}, nil
}
