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
	// transferBack is how long after it was made a transfer may still move money: it is listed by when it was made, and
	// comes back days later.
	transferBack = 7 * 24 * time.Hour
)

// Balance is what the gateway says it holds for us.
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
}

// Statement puts the gateway's lists of transactions, refunds and transfers together.
func (c *Client) Statement(ctx context.Context, since time.Time) ([]rails.Line, error) {
	from := url.Values{"from": {since.UTC().Format(time.RFC3339)}}
	paid, err := list[charge](ctx, c, "/transaction", url.Values{"from": from["from"], "status": {"success"}})
	if err != nil {
		return nil, err
	}
	refunds, err := list[refund](ctx, c, "/refund", from)
	if err != nil {
		return nil, err
	}
	sent, err := list[listedTransfer](ctx, c, "/transfer", url.Values{"from": {since.Add(-transferBack).UTC().Format(time.RFC3339)}})
	if err != nil {
		return nil, err
	}
	var lines []rails.Line
	for _, t := range paid {
		status, err := t.read(t.Reference)
		if err != nil {
			return nil, c.caller.Unavailable(err)
		}
		if status.State == rails.Paid && status.Currency == rails.Naira {
			lines = append(lines, rails.Line{ProviderRef: status.ProviderRef, Reference: t.Reference, Amount: status.Amount, Fee: status.Fee, At: status.PaidAt})
		}
	}
	for _, r := range refunds {
		at, err := r.at()
		if !r.done() {
			continue
		}
		if err != nil || r.Amount <= 0 {
			return nil, c.caller.Unavailable(fmt.Errorf("refund %d of %d at %q", r.ID, r.Amount, r.RefundedAt))
		}
		lines = append(lines, rails.Line{ProviderRef: r.ref(), Of: r.transaction(), Out: true, Amount: money.Kobo(r.Amount), At: at})
	}
	for _, t := range sent {
		moved, err := t.lines()
		if err != nil {
			return nil, c.caller.Unavailable(err)
		}
		for _, line := range moved {
			if !line.At.Before(since) {
				lines = append(lines, line)
			}
		}
	}
	return lines, nil
}

// lines are what a transfer did: it went out, and came back when it was reversed.
func (t listedTransfer) lines() ([]rails.Line, error) {
	if t.Status != "success" && t.Status != "reversed" || t.Currency != rails.Naira {
		return nil, nil
	}
	at, err := time.Parse(time.RFC3339Nano, t.SentAt)
	if err != nil || t.Amount <= 0 || t.Fee < 0 {
		return nil, fmt.Errorf("transfer %d of %d at %q", t.ID, t.Amount, t.SentAt)
	}
	out := rails.Line{ProviderRef: t.Code, Reference: t.Reference, Out: true, Amount: money.Kobo(t.Amount), Fee: money.Kobo(t.Fee), At: at.UTC()}
	if t.Status != "reversed" {
		return []rails.Line{out}, nil
	}
	back := rails.Line{ProviderRef: t.Code, Reference: t.Reference, Amount: out.Amount, At: out.At}
	if at, err := time.Parse(time.RFC3339Nano, t.UpdatedAt); err == nil {
		back.At = at.UTC()
	}
	return []rails.Line{out, back}, nil
}
