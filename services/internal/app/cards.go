package app

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// CardUse is what a payer chose for a card payment; the zero value is neither.
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

// check refuses a choice that cannot be for a payment over a channel, before anything is recorded.
func (a *App) check(ctx context.Context, user string, use CardUse, channel nairav1.Channel) error {
	switch {
	case use == CardUse{}:
		return nil
	case channel != nairav1.Channel_CHANNEL_CARD:
		return fault.Field("channel", "Only a payment by card can use or keep a card.")
	case use.Saved == "":
		return nil
	}
	_, err := a.Members.Card(ctx, user, use.Saved)
	return err
}

// collect goes to the bank or gateway for a payment: a saved card is charged, anybody else is told where to pay. It
// answers the position of what the gateway said at once, 0 for nothing.
func (a *App) collect(ctx context.Context, who usecase.Who, id string, p wallet.Payment, use CardUse) (int64, error) {
	if use.Keep {
		if _, err := a.Pool.Exec(ctx, `INSERT INTO payment_cards (payment_id, keep) VALUES ($1, true)
			ON CONFLICT (payment_id) DO UPDATE SET keep = true`, id); err != nil {
			return 0, err
		}
	}
	if use.Saved == "" {
		return 0, a.instruct(ctx, who, id, p)
	}
	return a.chargeSaved(ctx, id, p, use)
}

// chargeSaved charges a saved card, once: whoever comes again only hears how it went.
func (a *App) chargeSaved(ctx context.Context, id string, p wallet.Payment, use CardUse) (int64, error) {
	if !p.Open() {
		return 0, nil
	}
	card, err := a.Members.Card(ctx, p.User, use.Saved)
	if err != nil {
		return 0, err
	}
	var sent bool
	if err := a.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM payment_instructions WHERE payment_id = $1)", id).Scan(&sent); err != nil {
		return 0, err
	}
	if sent {
		return 0, fault.New(fault.Conflict, "The card page of this payment is open. Pay there, or start a new payment.")
	}
	tag, err := a.Pool.Exec(ctx, `INSERT INTO payment_cards AS c (payment_id, keep, charged_at) VALUES ($1, false, $2)
		ON CONFLICT (payment_id) DO UPDATE SET charged_at = excluded.charged_at WHERE c.charged_at IS NULL`, id, a.Present())
	if err != nil {
		return 0, err
	}
	if tag.RowsAffected() > 0 {
		err := a.Cards.ChargeCard(ctx, rails.ChargeRequest{Reference: id, Amount: p.Gross(), Card: card})
		if fault.Is(err, fault.Unavailable) { // It was never reached: the payer may try again.
			_, undone := a.Pool.Exec(ctx, "UPDATE payment_cards SET charged_at = NULL WHERE payment_id = $1", id)
			return 0, errors.Join(err, undone)
		}
		if err != nil {
			return 0, err
		}
	}
	pos, err := a.Settle(ctx, id)
	if fault.Is(err, fault.Unavailable) {
		return 0, nil // Charged or not, it shows as it stands and is asked about again.
	}
	return pos, err
}

// choice is what the payer chose for a card payment.
func (a *App) choice(ctx context.Context, id string) (keep, charged bool, err error) {
	err = a.Pool.QueryRow(ctx, "SELECT keep, charged_at IS NOT NULL FROM payment_cards WHERE payment_id = $1", id).Scan(&keep, &charged)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return keep, charged, err
}

// keepCard keeps the card of a payment whose payer agreed to it.
func (a *App) keepCard(ctx context.Context, id string, p wallet.Payment, card *rails.Card) error {
	if card == nil || !p.Open() {
		return nil
	}
	keep, _, err := a.choice(ctx, id)
	if err != nil || !keep {
		return err
	}
	err = a.Members.KeepCard(ctx, p.User, *card)
	if fault.Is(err, fault.NotFound) {
		return nil // Nothing is kept of somebody who has gone.
	}
	return err
}

// GenerateReference starts a payment for the wallet, or for a sub-account when it is named, and goes to nobody yet.
func (a *App) GenerateReference(ctx context.Context, who usecase.Who, form contract.GenerateReferenceRequest) (contract.PaymentStart, int64, error) {
	if form.SubAccountId != nil && *form.SubAccountId != "" {
		c, err := a.intoSubAccount(ctx, who, "generate reference", *form.SubAccountId, form.Amount, dues.DueOf(form.MonthId, form.Period), form.Channel)
		if err != nil {
			return contract.PaymentStart{}, 0, err
		}
		return a.open(ctx, who, "generate reference", c)
	}
	k, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	return a.open(ctx, who, "generate reference", wallet.StartPayment{User: who.User, Channel: usecase.ChannelOf(form.Channel), Amount: k})
}

// MakePayment pays a payment that was started. The amount is its total, as the payer was shown it.
func (a *App) MakePayment(ctx context.Context, who usecase.Who, form contract.MakePaymentRequest) (contract.PaymentStart, int64, error) {
	id, p, err := a.own(ctx, who.User, form.TransactionRef)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	total, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	use := UseCard(form.CardId, form.SaveCard)
	if total != p.Gross() {
		return contract.PaymentStart{}, 0, fault.New(fault.Conflict, "This payment is %s in all: %s and charges of %s. Please look at it again before you pay.", p.Gross(), p.Amount, p.Charge)
	}
	if err := a.check(ctx, who.User, use, p.Channel); err != nil {
		return contract.PaymentStart{}, 0, err
	}
	pos, err := a.collect(ctx, who, id, p, use)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	if p, err = a.payment(ctx, id); err != nil {
		return contract.PaymentStart{}, 0, err
	}
	view, err := a.paymentView(ctx, id, p)
	return view, pos, err
}

// QuotePayment says what paying an amount in costs. It is refused as the payment itself would be.
func (a *App) QuotePayment(ctx context.Context, user, amount string, channel *contract.RailChannel) (contract.PaymentQuote, error) {
	k, err := usecase.ReadNaira("amount", amount)
	if err != nil {
		return contract.PaymentQuote{}, err
	}
	c := wallet.StartPayment{PaymentID: "quote", User: user, Channel: usecase.ChannelOf(channel), Amount: k, ExpiresAt: a.Now()}
	drafts, err := a.Ledger.DryRun(ctx, c)
	if err != nil {
		return contract.PaymentQuote{}, err
	}
	quoted := drafts[0].Message.(*nairav1.PaymentInitiated)
	return contract.PaymentQuote{
		Channel: contract.RailChannel(usecase.ChannelName(c.Channel)), Amount: usecase.Naira(k), ExtraCharges: usecase.NairaOf(quoted.GetChargeKobo()),
		Total: usecase.NairaOf(quoted.GetAmountKobo() + quoted.GetChargeKobo()), FeeTable: int(quoted.GetFeeTable()),
	}, nil
}
