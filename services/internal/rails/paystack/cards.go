package paystack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
	"adashi.ng/services/internal/secret"
)

var (
	_ rails.CardCharger = (*Client)(nil)
	_ rails.Reverser    = (*Client)(nil)
)

// authorization allows us to charge a card again. The gateway writes months and years as texts.
type authorization struct {
	Code     string `json:"authorization_code"`
	Last4    string `json:"last4"`
	ExpMonth string `json:"exp_month"`
	ExpYear  string `json:"exp_year"`
	Brand    string `json:"brand"`
	Bank     string `json:"bank"`
	Reusable bool   `json:"reusable"`
}

// card returns the card of a charge, nil when it cannot be charged again.
func (t charge) card() *rails.Card {
	a := t.Authorization
	if !a.Reusable || a.Code == "" || len(a.Last4) != 4 {
		return nil
	}
	month, _ := strconv.Atoi(strings.TrimSpace(a.ExpMonth)) // A month that cannot be read is not shown.
	year, _ := strconv.Atoi(strings.TrimSpace(a.ExpYear))
	return &rails.Card{
		Token: secret.Text(a.Code), Email: t.Customer.Email, Last4: a.Last4, Brand: a.Brand, Bank: strings.TrimSpace(a.Bank), ExpMonth: month, ExpYear: year,
	}
}

// ChargeCard charges a saved card. Whatever the gateway answers, Status gives the result: the gateway charges a
// reference once.
func (c *Client) ChargeCard(ctx context.Context, request rails.ChargeRequest) error {
	answer, err := c.do(ctx, http.MethodPost, "/transaction/charge_authorization", map[string]any{
		"email": request.Card.Email, "amount": int64(request.Amount), "authorization_code": request.Card.Token.Reveal(),
		"reference": request.Reference, "currency": rails.Naira,
	})
	if errors.Is(err, call.ErrLate) {
		return nil
	}
	if err != nil {
		return err
	}
	if answer.Status == http.StatusUnauthorized {
		return c.caller.Unavailable(errors.New("the key was refused"))
	}
	return nil
}

// refund is a refund as the gateway lists it. transaction is an id or an object, depending on the call.
type refund struct {
	ID          int64           `json:"id"`
	Transaction json.RawMessage `json:"transaction"`
	Amount      int64           `json:"amount"`
	Currency    string          `json:"currency"`
	Status      string          `json:"status"`
	Note        string          `json:"customer_note"`
	RefundedAt  string          `json:"refunded_at"`
	CreatedAt   string          `json:"createdAt"`
}

func (r refund) transaction() string {
	var object struct {
		ID int64 `json:"id"`
	}
	if json.Unmarshal(r.Transaction, &object) == nil && object.ID != 0 {
		return strconv.FormatInt(object.ID, 10)
	}
	return string(r.Transaction)
}

// ref distinguishes a refund's id from a transaction's.
func (r refund) ref() string { return "refund-" + strconv.FormatInt(r.ID, 10) }

func (r refund) at() (time.Time, error) {
	text := r.RefundedAt
	if text == "" {
		text = r.CreatedAt
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	return at.UTC(), err
}

// done reports whether the payer has the money, or is sure to get it.
func (r refund) done() bool { return r.Status == "processed" && r.Currency == rails.Naira }

// transaction returns the gateway's own id of a payment; empty when the gateway knows none.
func (c *Client) transaction(ctx context.Context, reference string) (string, error) {
	var found charge
	ok, err := c.ask(ctx, http.MethodGet, "/transaction/verify/"+url.PathEscape(reference), nil, &found, noTransaction)
	if err != nil || !ok || found.ID == 0 {
		return "", err
	}
	return strconv.FormatInt(found.ID, 10), nil
}

// Reversals returns the refunds of a transaction. The gateway also makes one for an accepted dispute, and keeps its
// fee.
func (c *Client) Reversals(ctx context.Context, reference string) ([]rails.Reversal, error) {
	transaction, err := c.transaction(ctx, reference)
	if err == nil && transaction == "" {
		err = rails.ErrNoTransaction
	}
	if err != nil {
		return nil, err
	}
	refunds, err := list[refund](ctx, c, "/refund", url.Values{"transaction": {transaction}})
	if err != nil {
		return nil, err
	}
	var out []rails.Reversal
	for _, r := range refunds {
		if !r.done() || r.transaction() != transaction {
			continue
		}
		at, err := r.at()
		if err != nil || r.Amount <= 0 {
			return nil, c.caller.Unavailable(fmt.Errorf("refund %d of %d at %q", r.ID, r.Amount, r.RefundedAt))
		}
		out = append(out, rails.Reversal{ProviderRef: r.ref(), Of: transaction, Gross: money.Kobo(r.Amount), At: at, Reason: r.Note})
	}
	return out, nil
}

// ParseReversal reads webhooks about refunds and disputes.
func (c *Client) ParseReversal(header http.Header, body []byte) (string, error) {
	told, err := c.open(header, body)
	if err != nil {
		return "", err
	}
	var data struct {
		Reference   string `json:"transaction_reference"`
		Transaction struct {
			Reference string `json:"reference"`
		} `json:"transaction"`
	}
	if !strings.HasPrefix(told.Event, "refund.") && !strings.HasPrefix(told.Event, "charge.dispute.") {
		return "", rails.ErrNoPayment
	}
	if err := json.Unmarshal(told.Data, &data); err != nil {
		return "", fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	if data.Reference == "" {
		data.Reference = data.Transaction.Reference
	}
	if data.Reference == "" || len(data.Reference) > 128 {
		return "", fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	return data.Reference, nil
}
