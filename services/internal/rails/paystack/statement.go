package paystack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var _ rails.Teller = (*Client)(nil)

const (
	pageSize = 100
	pagesMax = 2000
	// transferBack is how long after its creation a transfer may still move money: the gateway lists it by creation
	// time, and it comes back days later.
	transferBack = 7 * 24 * time.Hour
	// refundBack is the same for a refund, which takes up to ten working days.
	refundBack = 30 * 24 * time.Hour
)

// Balance returns the money that the gateway holds for us, by its own count.
func (c *Client) Balance(ctx context.Context) (money.Kobo, error) {
	var data []struct {
		Currency string `json:"currency"`
		Balance  int64  `json:"balance"`
	}
	if _, err := c.ask(ctx, http.MethodGet, "/balance", nil, &data, never); err != nil {
		return 0, err
	}
	for _, b := range data {
		if b.Currency == rails.Naira {
			return money.Kobo(b.Balance), nil
		}
	}
	return 0, c.caller.Unavailable(errors.New("no balance in naira"))
}

// list reads every page of a list.
func list[T any](ctx context.Context, c *Client, path string, query url.Values) ([]T, error) {
	var all []T
	query = maps.Clone(query)
	query.Set("perPage", strconv.Itoa(pageSize))
	for page := 1; page <= pagesMax; page++ {
		query.Set("page", strconv.Itoa(page))
		answer, err := c.do(ctx, http.MethodGet, path+"?"+query.Encode(), nil)
		if errors.Is(err, call.ErrLate) {
			return nil, c.caller.Unavailable(err)
		}
		if err != nil {
			return nil, err
		}
		var reply struct {
			OK   bool `json:"status"`
			Data []T  `json:"data"`
			Meta struct {
				Pages int `json:"pageCount"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(answer.Body, &reply); err != nil || !reply.OK || !answer.Decided() {
			return nil, c.caller.Unavailable(fmt.Errorf("HTTP %d for the list %s", answer.Status, path))
		}
		all = append(all, reply.Data...)
		if page >= reply.Meta.Pages {
			return all, nil
		}
	}
	return nil, c.caller.Unavailable(fmt.Errorf("%s has more than %d pages", path, pagesMax))
}

// listedTransfer is money that we sent out, as the gateway lists it.
type listedTransfer struct {
	ID        int64  `json:"id"`
	Code      string `json:"transfer_code"`
	Reference string `json:"reference"`
	Amount    int64  `json:"amount"`
	Fee       int64  `json:"fee_charged"`
	Currency  string `json:"currency"`
	Status    string `json:"status"`
	SentAt    string `json:"transferred_at"`
	UpdatedAt string `json:"updatedAt"`
	CreatedAt string `json:"createdAt"`
}

// since is a list's query for items created since a moment.
func since(at time.Time) url.Values { return url.Values{"from": {at.UTC().Format(time.RFC3339)}} }

// Statement combines the gateway's lists of transactions, refunds and transfers.
func (c *Client) Statement(ctx context.Context, from time.Time) ([]rails.Line, error) {
	paid, err := c.paid(ctx, from)
	if err != nil {
		return nil, err
	}
	refunds, err := c.refunded(ctx, from)
	if err != nil {
		return nil, err
	}
	sent, err := list[listedTransfer](ctx, c, "/transfer", since(from.Add(-transferBack)))
	if err != nil {
		return nil, err
	}
	lines := append(paid, refunds...)
	for _, t := range sent {
		moved, err := t.lines()
		if err != nil {
			return nil, c.caller.Unavailable(err)
		}
		for _, line := range moved {
			if !line.At.Before(from) {
				lines = append(lines, line)
			}
		}
	}
	return lines, nil
}

// paid returns the lines of payments, including those that went back later, in full or in part.
func (c *Client) paid(ctx context.Context, from time.Time) (lines []rails.Line, err error) {
	for _, status := range []string{"success", reversed} {
		query := since(from)
		query.Set("status", status)
		all, err := list[charge](ctx, c, "/transaction", query)
		if err != nil {
			return nil, err
		}
		for _, t := range all {
			if t.Status != status {
				continue
			}
			status, err := t.read(t.Reference)
			if err != nil {
				return nil, c.caller.Unavailable(err)
			}
			if status.State == rails.Paid && status.Currency == rails.Naira {
				lines = append(lines, rails.Line{ProviderRef: status.ProviderRef, Reference: t.Reference, Amount: status.Amount, Fee: status.Fee, At: status.PaidAt})
			}
		}
	}
	return lines, nil
}

// refunded returns the lines of refunds that finished since a moment.
func (c *Client) refunded(ctx context.Context, from time.Time) (lines []rails.Line, err error) {
	all, err := list[refund](ctx, c, "/refund", since(from.Add(-refundBack)))
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if !r.done() {
			continue
		}
		at, err := r.at()
		if err != nil || r.Amount <= 0 {
			return nil, c.caller.Unavailable(fmt.Errorf("refund %d of %d at %q", r.ID, r.Amount, r.RefundedAt))
		}
		if !at.Before(from) {
			lines = append(lines, rails.Line{ProviderRef: r.ref(), Of: r.transaction(), Out: true, Amount: money.Kobo(r.Amount), At: at})
		}
	}
	return lines, nil
}

// lines returns a transfer's movements: it went out, and came back when it was reversed.
func (t listedTransfer) lines() ([]rails.Line, error) {
	if t.Status != "success" && t.Status != "reversed" || t.Currency != rails.Naira {
		return nil, nil
	}
	at := readMoment(t.SentAt, t.UpdatedAt, t.CreatedAt)
	if at.IsZero() || t.Amount <= 0 || t.Fee < 0 {
		return nil, fmt.Errorf("transfer %d of %d at %q", t.ID, t.Amount, t.SentAt)
	}
	out := rails.Line{ProviderRef: t.Code, Reference: t.Reference, Out: true, Amount: money.Kobo(t.Amount), Fee: money.Kobo(t.Fee), At: at}
	if t.Status != "reversed" {
		return []rails.Line{out}, nil
	}
	back := rails.Line{ProviderRef: t.Code, Reference: t.Reference, Amount: out.Amount, At: out.At}
	if at := readMoment(t.UpdatedAt); !at.IsZero() {
		back.At = at
	}
	return []rails.Line{out, back}, nil
}
