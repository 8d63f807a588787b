package paystack

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

// Options says how to reach the gateway and how to sign in.
type Options struct {
	Host      string // Without a trailing slash.
	SecretKey string
}

// Client is the gateway as a rails.Collector. It is safe for concurrent use.
type Client struct {
	options Options
	caller  *call.Client
}

var (
	_ rails.Adapter     = (*Client)(nil)
	_ rails.Collector   = (*Client)(nil)
	_ rails.PaymentHook = (*Client)(nil)
	_ rails.Checker     = (*Client)(nil)
)

// New makes the client; it calls nobody.
func New(options Options) *Client {
	options.Host = strings.TrimRight(options.Host, "/")
	return &Client{options: options, caller: call.New("The card gateway")}
}

// envelope wraps every answer of the gateway.
type envelope struct {
	OK      bool            `json:"status"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// refusal is a refusal that the gateway publishes: the beginnings of its sentences, in lower case.
type refusal []string

var (
	noTransaction = refusal{"transaction reference not found", "transaction not found"}
	noTransfer    = refusal{"transfer not found"}
	noDispute     = refusal{"dispute not found"}
	noCustomer    = refusal{"customer not found"}
	noAccount     = refusal{"account details are invalid", "account number is invalid", "could not resolve account name", "cannot resolve account"}
	noOrder       = refusal{"your balance is not enough", "recipient specified is invalid"} // Nothing is transferred.
	wasIdentified = refusal{"customer already validated using the same credentials"}
	never         = refusal{} // No answer counts as a refusal.
)

// by reports whether an answer is that refusal. Any other sentence, such as "Endpoint not found", is not.
func (r refusal) by(answer call.Answer, reply envelope) bool {
	said := strings.ToLower(reply.Message)
	return answer.Decided() && !reply.OK && slices.ContainsFunc(r, func(words string) bool { return strings.HasPrefix(said, words) })
}

// Check makes a call that changes nothing, so that a refused key stops the start instead of the first payment.
func (c *Client) Check(ctx context.Context) error {
	answer, err := c.do(ctx, http.MethodGet, "/transaction?perPage=1", nil)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("PAYSTACK_SECRET_KEY was refused by Paystack: HTTP %d", answer.Status)
	}
	return nil
}

func (c *Client) do(ctx context.Context, method, path string, payload any) (call.Answer, error) {
	return c.caller.Do(ctx, method, c.options.Host+path, http.Header{"Authorization": {"Bearer " + c.options.SecretKey}}, payload)
}

// Start opens a checkout page. Paystack refuses a reference that it already knows; only the sandbox returns the same
// page again. So keep the instructions.
func (c *Client) Start(ctx context.Context, request rails.StartRequest) (rails.Instructions, error) {
	answer, err := c.do(ctx, http.MethodPost, "/transaction/initialize", map[string]any{
		"email": request.Email, "amount": int64(request.Amount), "reference": request.Reference,
		"currency": rails.Naira, "channels": []string{"card"}, "callback_url": request.CallbackURL,
	})
	if errors.Is(err, call.ErrLate) {
		return rails.Instructions{}, c.caller.Unavailable(err) // No money moves: we may ask again.
	}
	if err != nil {
		return rails.Instructions{}, err
	}
	var reply envelope
	var data struct {
		URL string `json:"authorization_url"`
	}
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.Instructions{}, c.caller.Unavailable(fmt.Errorf("HTTP %d with a body that is not JSON", answer.Status))
	}
	if strings.Contains(strings.ToLower(reply.Message), "duplicate") {
		return rails.Instructions{}, fault.New(fault.Conflict, "This payment was started already. Please start a new one.")
	}
	if err := json.Unmarshal(reply.Data, &data); err != nil || !reply.OK || data.URL == "" {
		return rails.Instructions{}, c.caller.Unavailable(fmt.Errorf("HTTP %d, %q and no authorization_url", answer.Status, reply.Message))
	}
	return rails.Instructions{CheckoutURL: data.URL}, nil
}

// charge is a transaction as verification and webhooks give it.
type charge struct {
	ID        int64  `json:"id"`
	Status    string `json:"status"`
	Reference string `json:"reference"`
	Amount    int64  `json:"amount"`
	Fees      int64  `json:"fees"`
	Currency  string `json:"currency"`
	PaidAt    string `json:"paid_at"`
	Reason    string `json:"gateway_response"`
	Customer  struct {
		Email string `json:"email"`
	} `json:"customer"`
	Authorization authorization `json:"authorization"`
}

// Status verifies a reference. An unreadable answer is Pending.
func (c *Client) Status(ctx context.Context, reference string) (rails.Status, error) {
	return c.verify(ctx, "/transaction/verify/"+url.PathEscape(reference), reference)
}

// verify asks about a transaction; reference is empty when we do not know it.
func (c *Client) verify(ctx context.Context, path, reference string) (rails.Status, error) {
	pending := rails.Status{State: rails.Pending, Reference: reference, Currency: rails.Naira}
	answer, err := c.do(ctx, http.MethodGet, path, nil)
	if errors.Is(err, call.ErrLate) {
		return pending, nil
	}
	if err != nil {
		return rails.Status{}, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil || !answer.Decided() {
		return pending, nil //nolint:nilerr // A proxy's page instead of an answer says nothing of the payment.
	}
	if noTransaction.by(answer, reply) {
		return rails.Status{State: rails.Unknown, Reference: reference}, nil
	}
	if !reply.OK {
		return pending, nil
	}
	var told charge
	if err := json.Unmarshal(reply.Data, &told); err != nil {
		return pending, nil //nolint:nilerr // As above.
	}
	return told.read(reference)
}

// Arrived is Status: the gateway takes one payment under a reference. Without a reference we ask by the gateway's own
// number.
func (c *Client) Arrived(ctx context.Context, notice rails.Notice) (rails.Status, error) {
	if notice.Reference == "" {
		return c.verify(ctx, "/transaction/"+url.PathEscape(notice.ProviderRef), "")
	}
	return c.Status(ctx, notice.Reference)
}

func (t charge) read(reference string) (rails.Status, error) {
	if reference == "" {
		reference = t.Reference
	}
	if t.Reference != reference {
		return rails.Status{}, fmt.Errorf("Paystack answered about %q when asked about another reference", t.Reference) //nolint:staticcheck // A name.
	}
	status := rails.Status{State: Outcome(t.Status), Reference: reference, Currency: t.Currency}
	if t.Status == reversed && t.PaidAt != "" {
		status.State, status.WentBack = rails.Paid, true // It arrived; the refunds say how much went back.
	}
	switch status.State {
	case rails.Paid:
		at, err := time.Parse(time.RFC3339Nano, t.PaidAt)
		if err != nil || t.Amount <= 0 || t.Fees < 0 || t.ID == 0 {
			return rails.Status{}, fmt.Errorf("Paystack says %s is paid: id %d, amount %d, fees %d, paid_at %q", reference, t.ID, t.Amount, t.Fees, t.PaidAt) //nolint:staticcheck // A name.
		}
		status.ProviderRef, status.PaidAt = strconv.FormatInt(t.ID, 10), at.UTC()
		status.Amount, status.Fee = money.Kobo(t.Amount), money.Kobo(t.Fees)
		if !status.WentBack {
			status.Card = t.card()
		}
	case rails.Failed:
		status.Reason = t.Reason
	case rails.Pending, rails.Unknown:
	}
	return status, nil
}

// reversed is the status of a payment of which money went back, in full or in part. Without a paid time it never
// arrived.
const reversed = "reversed"

// Outcome reads a transaction's status. An abandoned page may still be paid; an unknown status is pending.
func Outcome(status string) rails.State {
	switch status {
	case "success":
		return rails.Paid
	case "failed", reversed:
		return rails.Failed
	default: // abandoned, ongoing, pending, processing, queued.
		return rails.Pending
	}
}

// told is a webhook's body.
type told struct {
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// open checks a webhook's signature over the raw bytes, in constant time, before it reads anything.
func (c *Client) open(header http.Header, body []byte) (told, error) {
	given, err := hex.DecodeString(header.Get("X-Paystack-Signature"))
	if err != nil || !hmac.Equal(given, sign(c.options.SecretKey, body)) {
		return told{}, fault.New(fault.Forbidden, "The webhook's signature is not right.")
	}
	var t told
	if err := json.Unmarshal(call.Storable(body), &t); err != nil {
		return told{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	return t, nil
}

// ParseWebhook reads the webhook of a payment that succeeded.
func (c *Client) ParseWebhook(header http.Header, body []byte) (rails.Notice, error) {
	told, err := c.open(header, body)
	if err != nil {
		return rails.Notice{}, err
	}
	if told.Event != "charge.success" {
		return rails.Notice{}, rails.ErrNoPayment
	}
	var data charge
	if err := json.Unmarshal(told.Data, &data); err != nil || data.Reference == "" && data.ID == 0 || len(data.Reference) > 128 || data.Amount <= 0 {
		return rails.Notice{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	notice := rails.Notice{Reference: data.Reference, Amount: money.Kobo(data.Amount), Currency: data.Currency}
	if data.ID != 0 {
		notice.ProviderRef = strconv.FormatInt(data.ID, 10)
	}
	return notice, nil
}

// sign computes the gateway's signature of a webhook's body.
func sign(secretKey string, body []byte) []byte {
	mac := hmac.New(sha512.New, []byte(secretKey))
	mac.Write(body)
	return mac.Sum(nil)
}
