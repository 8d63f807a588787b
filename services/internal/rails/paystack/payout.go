package paystack

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var (
	_ rails.Payer      = (*Client)(nil)
	_ rails.PayoutHook = (*Client)(nil)
)

// Reference is our own reference, unchanged.
func (*Client) Reference(withdrawalID string) string { return withdrawalID }

// Prepare registers the receiver at the gateway, which returns the same code for the same account.
func (c *Client) Prepare(ctx context.Context, payout rails.Payout) (rails.Send, error) {
	var data struct {
		Code string `json:"recipient_code"`
	}
	ok, err := c.ask(ctx, http.MethodPost, "/transferrecipient", map[string]string{
		"type": "nuban", "name": payout.Name, "account_number": payout.Account, "bank_code": payout.Bank.Code, "currency": rails.Naira,
	}, &data, noAccount)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, rails.ErrNoAccount
	case data.Code == "":
		return nil, c.caller.Unavailable(errors.New("no recipient was made"))
	}
	order := map[string]any{
		"source": "balance", "amount": int64(payout.Amount), "recipient": data.Code, "reference": payout.Reference, "reason": payout.Note, "currency": rails.Naira,
	}
	return func(ctx context.Context) rails.PayoutStatus { return c.transfer(ctx, order) }, nil
}

// transfer gives the order. Only a refusal that the gateway publishes is a failure; a reply that it already has this
// order is not. It never reports success: the status query does.
func (c *Client) transfer(ctx context.Context, order map[string]any) rails.PayoutStatus {
	answer, err := c.do(ctx, http.MethodPost, "/transfer", order)
	if err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: "no answer"}
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}
	}
	out := rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, %s", answer.Status, reply.Message)}
	refused := answer.Status == http.StatusBadRequest || answer.Status == http.StatusUnprocessableEntity
	if refused && noOrder.by(answer, reply) {
		out.State, out.Reason = rails.Failed, reply.Message
	}
	return out
}

// transfer is a payout as verification and webhooks give it.
type transfer struct {
	Status        string `json:"status"`
	Reference     string `json:"reference"`
	Code          string `json:"transfer_code"`
	Amount        int64  `json:"amount"`
	Fee           int64  `json:"fee_charged"`
	Currency      string `json:"currency"`
	TransferredAt string `json:"transferred_at"`
	UpdatedAt     string `json:"updatedAt"`
	Reason        string `json:"gateway_response"`
}

// PayoutStatus verifies a reference. An unreadable answer is Pending.
func (c *Client) PayoutStatus(ctx context.Context, reference string) (rails.PayoutStatus, error) {
	answer, err := c.do(ctx, http.MethodGet, "/transfer/verify/"+url.PathEscape(reference), nil)
	if errors.Is(err, call.ErrLate) {
		return rails.PayoutStatus{State: rails.Pending, Answer: "no answer"}, nil
	}
	if err != nil {
		return rails.PayoutStatus{}, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}, nil //nolint:nilerr // A proxy's page says nothing of the payout.
	}
	out := rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, %s", answer.Status, reply.Message)}
	if answer.Status == http.StatusNotFound && noTransfer.by(answer, reply) {
		out.State = rails.Unknown
	}
	if !reply.OK || !answer.Decided() {
		return out, nil
	}
	var told transfer
	if err := json.Unmarshal(reply.Data, &told); err != nil || told.Status == "" {
		return out, nil //nolint:nilerr // As above.
	}
	out.Answer += ", " + told.Status
	return told.read(reference, out)
}

// read decides by the transfer's own status. A reversed transfer was paid if it has a paid time; Amount says whether
// the whole came back.
func (t transfer) read(reference string, out rails.PayoutStatus) (rails.PayoutStatus, error) {
	if t.Reference != reference {
		return out, fmt.Errorf("%w: Paystack answered about %q when asked about another reference", rails.ErrAnswer, t.Reference)
	}
	out.ProviderRef, out.Amount, out.Fee, out.Currency, out.Reason = t.Code, money.Kobo(t.Amount), money.Kobo(t.Fee), t.Currency, t.Reason
	switch t.Status {
	case "success":
		if t.Amount <= 0 || t.Code == "" {
			return out, fmt.Errorf("%w: Paystack says %s is paid: code %q, amount %d", rails.ErrAnswer, reference, t.Code, t.Amount)
		}
		out.State, out.PaidAt = rails.Paid, readMoment(t.TransferredAt, t.UpdatedAt)
	case "reversed":
		out.State, out.Reversed = rails.Failed, true
		if at := readMoment(t.TransferredAt); !at.IsZero() {
			out.State, out.PaidAt = rails.Paid, at
		}
		if out.Reason == "" {
			out.Reason = "The receiving bank sent it back."
		}
	case "failed", "abandoned", "rejected", "blocked":
		out.State = rails.Failed
	}
	return out, nil // pending, otp, processing, received and unknown states are pending.
}

// readMoment returns the first time that it can read, the zero time if none. A payout without a time is still paid.
func readMoment(texts ...string) time.Time {
	for _, text := range texts {
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// ParsePayout checks the signature over the raw bytes, in constant time, before it reads anything.
func (c *Client) ParsePayout(header http.Header, body []byte) (rails.PayoutNotice, error) {
	given, err := hex.DecodeString(header.Get("X-Paystack-Signature"))
	if err != nil || !hmac.Equal(given, sign(c.options.SecretKey, body)) {
		return rails.PayoutNotice{}, fault.New(fault.Forbidden, "The webhook's signature is not right.")
	}
	var told struct {
		Event string          `json:"event"`
		Data  json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(call.Storable(body), &told); err != nil {
		return rails.PayoutNotice{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	switch told.Event {
	case "transfer.success", "transfer.failed", "transfer.reversed":
	default:
		return rails.PayoutNotice{}, rails.ErrNoPayment
	}
	var data transfer
	if err := json.Unmarshal(told.Data, &data); err != nil || data.Reference == "" || len(data.Reference) > 128 || data.Amount <= 0 {
		return rails.PayoutNotice{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	return rails.PayoutNotice{Reference: data.Reference, Amount: money.Kobo(data.Amount), Currency: data.Currency}, nil
}
