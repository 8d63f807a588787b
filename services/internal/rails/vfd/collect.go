package vfd

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

const (
	validMinutesMax = 4320
	exactAmount     = "A0" // The bank itself refuses any other amount.
)

var (
	_ rails.Adapter     = (*Client)(nil)
	_ rails.Collector   = (*Client)(nil)
	_ rails.PaymentHook = (*Client)(nil)
	_ rails.SecretPath  = (*Client)(nil)
	_ rails.Checker     = (*Client)(nil)
)

// Start opens a virtual account that takes exactly the amount, once, until ExpiresAt (three days at most).
func (c *Client) Start(ctx context.Context, request rails.StartRequest) (rails.Instructions, error) {
	minutes := int(math.Ceil(request.ExpiresAt.Sub(c.options.Now()).Minutes()))
	answer, err := c.do(ctx, http.MethodPost, "/virtualaccount", map[string]string{
		"amount": request.Amount.Decimal().StringFixed(2), "merchantName": c.options.WalletName,
		"merchantId": c.options.MerchantID, "reference": request.Reference,
		"validityTime": fmt.Sprint(min(max(minutes, 1), validMinutesMax)), "amountValidation": exactAmount,
	})
	if errors.Is(err, call.ErrLate) {
		return rails.Instructions{}, c.caller.Unavailable(err) // No money moves: we may ask again.
	}
	if err != nil {
		return rails.Instructions{}, err
	}
	var reply struct {
		envelope
		AccountNumber string `json:"accountNumber"` // Some versions return it outside data.
	}
	var data struct {
		AccountNumber string `json:"accountNumber"`
	}
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.Instructions{}, c.caller.Unavailable(fmt.Errorf("HTTP %d with a body that is not JSON", answer.Status))
	}
	_ = json.Unmarshal(reply.Data, &data)
	if data.AccountNumber == "" {
		data.AccountNumber = reply.AccountNumber
	}
	if reply.Status != "00" || data.AccountNumber == "" {
		return rails.Instructions{}, c.caller.Unavailable(fmt.Errorf("HTTP %d, status %q, %q and no account number", answer.Status, reply.Status, reply.Message))
	}
	return rails.Instructions{AccountNumber: data.AccountNumber, AccountName: c.options.WalletName, BankName: c.options.BankName}, nil
}

// transaction is a transaction as the status query returns it.
type transaction struct {
	Reference string `json:"reference"`
	SessionID string `json:"sessionId"`
	TxnID     string `json:"txnId"`
	Amount    string `json:"amount"`
	Status    string `json:"transactionStatus"`
	Date      string `json:"transactionDate"`
}

// Status asks about a reference. Only transactionStatus counts, not the outer status; an unreadable answer is Pending.
func (c *Client) Status(ctx context.Context, reference string) (rails.Status, error) {
	return c.query(ctx, "reference", reference, reference)
}

// Arrived asks about the session that the webhook names. If the webhook also names a reference, it accepts the session
// only when it belongs to that reference.
func (c *Client) Arrived(ctx context.Context, notice rails.Notice) (rails.Status, error) {
	if notice.ProviderRef != "" {
		status, err := c.query(ctx, "sessionId", notice.ProviderRef, notice.Reference)
		if fault.As(err) != nil || notice.Reference == "" || err == nil && status.State == rails.Paid {
			return status, err
		}
	}
	return c.Status(ctx, notice.Reference)
}

func (c *Client) query(ctx context.Context, by, value, reference string) (rails.Status, error) {
	pending := rails.Status{State: rails.Pending, Reference: reference, Currency: rails.Naira}
	answer, err := c.do(ctx, http.MethodGet, "/transactions?"+by+"="+url.QueryEscape(value), nil)
	if errors.Is(err, call.ErrLate) {
		return pending, nil
	}
	if err != nil {
		return rails.Status{}, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil || !answer.Decided() {
		return pending, nil //nolint:nilerr // XML or anything else that is not JSON is pending, by the bank's own rule.
	}
	var told transaction
	if err := json.Unmarshal(reply.Data, &told); err != nil || told.Status == "" {
		if reply.Status == codeNoSuch {
			return rails.Status{State: rails.Unknown, Reference: reference}, nil
		}
		return pending, nil // As above.
	}
	status, err := told.read(reference, reply.Message)
	status.From = sender(reply.Data)
	return status, err
}

// sender is the account that the money came from, by the bank's answer. It is read separately: an unreadable sender
// does not affect the money.
func sender(data json.RawMessage) rails.Sender {
	var told map[string]any
	_ = json.Unmarshal(data, &told)
	text := func(name string) string {
		value, _ := told[name].(string)
		return strings.TrimSpace(value)
	}
	from := rails.Sender{Bank: text("fromBank"), Account: text("fromAccountNo"), Name: text("fromAccountName")}
	if from.Bank == ownInside {
		from.Bank = ownNIP
	}
	return from
}

// of reports whether it is about our reference, which the bank returns as the reference or as its txnId.
func (t transaction) of(reference string) bool {
	return t.Reference == reference || t.TxnID == reference
}

// nameless reports whether it does not say which transaction it is about.
func (t transaction) nameless() bool { return t.Reference == "" && t.TxnID == "" }

// another is the error for an answer about a different transaction.
func (t transaction) another() error {
	return fmt.Errorf("%w: VFD answered about %q when asked about another reference", rails.ErrAnswer, t.Reference)
}

func (t transaction) read(reference, message string) (rails.Status, error) {
	if reference == "" {
		reference = t.Reference
	}
	status := rails.Status{State: Outcome(t.Status), Reference: reference, ProviderRef: t.SessionID, Currency: rails.Naira}
	if ends := status.State == rails.Paid || status.State == rails.Failed; ends && t.Reference != "" && t.Reference != reference && t.TxnID != reference {
		return rails.Status{}, t.another()
	}
	switch status.State {
	case rails.Paid:
		amount, err := readNaira(t.Amount)
		if err != nil {
			return rails.Status{}, fmt.Errorf("VFD says %s is paid, with an amount of %q", reference, t.Amount)
		}
		status.Amount = amount
		switch {
		case status.ProviderRef == "":
			status.ProviderRef = t.TxnID
		case t.TxnID != "":
			status.Also = []string{t.TxnID}
		}
		if status.ProviderRef == "" {
			// This id keeps us from crediting one arrival twice, and from taking two for one.
			return rails.Status{}, fmt.Errorf("VFD says %s is paid, with no sessionId and no txnId", reference)
		}
		if status.PaidAt, err = readTime(t.Date); err != nil {
			return rails.Status{}, fmt.Errorf("VFD says %s is paid, at %q", reference, t.Date)
		}
	case rails.Failed:
		status.Reason = message
	case rails.Pending, rails.Unknown:
	}
	return status, nil
}

func readNaira(text string) (money.Kobo, error) {
	naira, err := decimal.NewFromString(strings.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	return money.FromNaira(naira)
}

// readTime reads the bank's two formats; a time without a zone is Lagos time.
func readTime(text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at.UTC(), nil
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05.999999", text, lagos.Zone)
	return at.UTC(), err
}

// SecretIs compares the webhook's path with our secret in constant time.
func (c *Client) SecretIs(given string) bool {
	return c.options.WebhookSecret != "" && subtle.ConstantTimeCompare([]byte(given), []byte(c.options.WebhookSecret)) == 1
}

// ParseWebhook reads the webhook of an incoming transfer. It is unsigned: the caller has checked SecretIs, and calls
// Status next.
func (c *Client) ParseWebhook(_ http.Header, body []byte) (rails.Notice, error) {
	var told struct {
		Reference string `json:"reference"`
		Amount    string `json:"amount"`
		SessionID string `json:"session_id"`
		Initial   bool   `json:"initialCreditRequest"`
	}
	if err := json.Unmarshal(call.Storable(body), &told); err != nil || told.Reference == "" && told.SessionID == "" || len(told.Reference) > 128 || len(told.SessionID) > 128 {
		return rails.Notice{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	if told.Initial {
		return rails.Notice{}, rails.ErrNoPayment // Announced, not received: we never credit it.
	}
	amount, err := readNaira(told.Amount)
	if err != nil || amount <= 0 {
		return rails.Notice{}, fault.Field("amount", "The webhook's amount cannot be read.")
	}
	return rails.Notice{Reference: told.Reference, ProviderRef: told.SessionID, Amount: amount, Currency: rails.Naira}, nil
}
