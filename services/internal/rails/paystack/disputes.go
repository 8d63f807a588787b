package paystack

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
)

var _ rails.CardDisputer = (*Client)(nil)

// listedDispute is a dispute as the gateway lists it.
type listedDispute struct {
	ID           int64  `json:"id"`
	RefundAmount int64  `json:"refund_amount"` // Null until somebody says how much.
	Currency     string `json:"currency"`
	Status       string `json:"status"`
	Resolution   string `json:"resolution"`
	Category     string `json:"category"`
	DueAt        string `json:"dueAt"`
	CreatedAt    string `json:"createdAt"`
	Transaction  struct {
		Reference string `json:"reference"`
		Amount    int64  `json:"amount"`
		Currency  string `json:"currency"`
	} `json:"transaction"`
}

// CardDisputes implements rails.CardDisputer. A dispute that we did not answer in time counts as accepted. One
// unreadable dispute does not hold back the others.
func (c *Client) CardDisputes(ctx context.Context, since time.Time) ([]rails.CardDispute, error) {
	listed, err := list[listedDispute](ctx, c, "/dispute", url.Values{"from": {since.UTC().Format(time.RFC3339)}})
	if err != nil {
		return nil, err
	}
	return c.disputes(listed)
}

// CardDisputesOf implements rails.CardDisputer.
func (c *Client) CardDisputesOf(ctx context.Context, reference string) ([]rails.CardDispute, error) {
	transaction, err := c.transaction(ctx, reference)
	if err != nil || transaction == "" {
		return nil, err
	}
	listed, err := list[listedDispute](ctx, c, "/dispute", url.Values{"transaction": {transaction}})
	if err != nil {
		return nil, err
	}
	all, err := c.disputes(listed)
	return slices.DeleteFunc(all, func(d rails.CardDispute) bool { return d.Reference != reference }), err
}

// disputes returns the readable disputes, and an error about the others.
func (c *Client) disputes(listed []listedDispute) (out []rails.CardDispute, bad error) {
	for _, d := range listed {
		if cmp.Or(d.Currency, d.Transaction.Currency) != rails.Naira || d.Transaction.Reference == "" {
			continue
		}
		one := rails.CardDispute{
			ProviderRef: refPrefix + strconv.FormatInt(d.ID, 10), Reference: d.Transaction.Reference, Amount: money.Kobo(cmp.Or(d.RefundAmount, d.Transaction.Amount)),
			Reason: d.Category, Ended: d.Status == "resolved", Upheld: d.Status == "resolved" && d.Resolution != "declined",
		}
		var err error
		if one.At, err = time.Parse(time.RFC3339Nano, d.CreatedAt); err == nil && d.DueAt != "" {
			one.AnswerBy, err = time.Parse(time.RFC3339Nano, d.DueAt)
		}
		if err != nil || one.Amount <= 0 || one.Amount > money.Max {
			bad = c.caller.Unavailable(fmt.Errorf("dispute %d of %d at %q, due %q", d.ID, one.Amount, d.CreatedAt, d.DueAt))
			continue
		}
		one.At, one.AnswerBy = one.At.UTC(), one.AnswerBy.UTC()
		out = append(out, one)
	}
	return out, bad
}
