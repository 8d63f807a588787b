package vfd

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var _ rails.Payer = (*Client)(nil)

// Reference is our reference with the wallet's name in front, as the bank requires.
func (c *Client) Reference(withdrawalID string) string {
	name := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, c.options.WalletName)
	return name + "-" + withdrawalID
}

// party is an account with the data that the bank requires about it.
type party struct {
	Number   string `json:"accountNo"`
	ID       string `json:"accountId"`
	ClientID string `json:"clientId"`
	Client   string `json:"client"`
	BVN      string `json:"bvn"`
}

// Prepare asks about our own account and the receiver's: the order must repeat the bank's answers.
func (c *Client) Prepare(ctx context.Context, payout rails.Payout) (rails.Send, error) {
	var from party
	if err := c.asked(ctx, "/account/enquiry", &from); err != nil {
		if errors.Is(err, rails.ErrNoAccount) {
			err = c.caller.Unavailable(errors.New("our own account is not known"))
		}
		return nil, err
	}
	query, kind := recipient(payout)
	var to struct {
		Name     string `json:"name"`
		ClientID string `json:"clientId"`
		BVN      string `json:"bvn"`
		Account  struct {
			ID string `json:"id"`
		} `json:"account"`
	}
	if err := c.asked(ctx, "/transfer/recipient?"+query.Encode(), &to); err != nil {
		return nil, err
	}
	if to.Name == "" {
		return nil, c.caller.Unavailable(errors.New("the bank names nobody whose account it is"))
	}
	signed := sha512.Sum512([]byte(from.Number + payout.Account))
	order := map[string]string{
		"fromAccount": from.Number, "uniqueSenderAccountId": "", "fromClientId": from.ClientID, "fromClient": from.Client, "fromSavingsId": from.ID, "fromBvn": from.BVN,
		"toClientId": to.ClientID, "toClient": to.Name, "toSavingsId": "", "toSession": "", "toBvn": to.BVN, "toAccount": payout.Account, "toBank": query.Get("bank"),
		"signature": hex.EncodeToString(signed[:]), "amount": payout.Amount.Decimal().StringFixed(2), "remark": payout.Note, "transferType": kind, "reference": payout.Reference,
	}
	if kind == "intra" {
		order["toSavingsId"] = to.Account.ID
	} else {
		order["toSession"] = to.Account.ID
	}
	return func(ctx context.Context) rails.PayoutStatus { return c.transfer(ctx, order) }, nil
}

// recipient returns the query for the receiver's account, and the kind of transfer to it.
func recipient(payout rails.Payout) (query url.Values, kind string) {
	if payout.Bank.NIP == ownNIP {
		return url.Values{"accountNo": {payout.Account}, "bank": {ownInside}, "transfer_type": {"intra"}}, "intra"
	}
	return url.Values{"accountNo": {payout.Account}, "bank": {payout.Bank.NIP}, "transfer_type": {"inter"}}, "inter"
}

// asked is ask for an answer that we need now: a pending one is an error.
func (c *Client) asked(ctx context.Context, path string, data any) error {
	err := c.ask(ctx, path, data)
	if errors.Is(err, errPending) {
		return c.caller.Unavailable(err)
	}
	return err
}

// transfer gives the order, a single time. Only a failure that the bank itself names counts as one; a reply that it
// already has this order does not. It never reports success: the status query does.
func (c *Client) transfer(ctx context.Context, order map[string]string) rails.PayoutStatus {
	answer, _, err := c.once(ctx, "", http.MethodPost, "/transfer", order)
	if err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: "no answer"}
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}
	}
	var about transaction
	_ = json.Unmarshal(reply.Data, &about) // A refusal has no data.
	status := rails.PayoutStatus{State: rails.Pending, Answer: said(answer.Status, reply)}
	refused := (answer.Status == http.StatusOK || answer.Status == http.StatusBadRequest) && (about.nameless() || about.of(order["reference"]))
	switch {
	case !refused:
	case kept(reply.Status):
		status.Meaning = keptWords
	case Outcome(reply.Status) == rails.Failed && !had(reply.Message):
		status.State, status.Reason = rails.Failed, reply.Message
	}
	return status
}

func said(httpStatus int, reply envelope) string {
	return fmt.Sprintf("HTTP %d, status %s, %s", httpStatus, reply.Status, reply.Message)
}

// PayoutStatus asks about a reference, and, when it was paid, whether it came back later.
func (c *Client) PayoutStatus(ctx context.Context, reference string) (rails.PayoutStatus, error) {
	answer, err := c.do(ctx, http.MethodGet, "/transactions?reference="+url.QueryEscape(reference), nil)
	if errors.Is(err, call.ErrLate) {
		return rails.PayoutStatus{State: rails.Pending, Answer: "no answer"}, nil
	}
	if err != nil {
		return rails.PayoutStatus{}, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}, nil //nolint:nilerr // Pending, by the bank's own rule.
	}
	out := rails.PayoutStatus{State: rails.Pending, Answer: said(answer.Status, reply)}
	if !answer.Decided() {
		return out, nil
	}
	var told transaction
	if err := json.Unmarshal(reply.Data, &told); err != nil {
		told = transaction{} // The readable part alone may be misleading.
	}
	switch {
	case !told.nameless() && !told.of(reference):
		return rails.PayoutStatus{}, told.another()
	case told.Status != "":
		out.Answer += ", transactionStatus " + told.Status
	case reply.Status == codeNoSuch:
		out.State = rails.Unknown
	}
	if told.Status == "" || told.nameless() {
		return out, nil // As above.
	}
	if kept(told.Status) {
		out.Meaning = keptWords
		return out, nil
	}
	status, err := told.dated(c.options.Now()).read(reference, reply.Message)
	if err != nil {
		return rails.PayoutStatus{}, fmt.Errorf("%w: %w", rails.ErrAnswer, err)
	}
	out.State, out.Reason, out.ProviderRef = status.State, status.Reason, status.ProviderRef
	out.Amount, out.Currency, out.PaidAt = status.Amount, status.Currency, status.PaidAt
	if out.State != rails.Paid {
		return out, nil
	}
	out.Fee, out.Currency = beside(reply.Data)
	if out.Reversed, out.Meaning, err = c.cameBack(ctx, reference, out.Amount); out.Reversed {
		out.Reason, out.Answer = "The receiving bank sent it back.", out.Answer+", reversed"
	}
	return out, err
}

// dated fills in a missing or unreadable time: the transaction is still paid.
func (t transaction) dated(now time.Time) transaction {
	if _, err := readTime(t.Date); err != nil {
		t.Date = now.UTC().Format(time.RFC3339Nano)
	}
	return t
}

// beside returns the bank's fee on top of a payout's amount, 0 when it cannot be read, and its currency, naira when the
// answer names none.
func beside(data json.RawMessage) (fee money.Kobo, currency string) {
	var told map[string]any
	_ = json.Unmarshal(data, &told) // Unreadable data gives no fee.
	currency = rails.Naira
	for _, name := range []string{"currency", "currencyCode"} {
		if other, is := told[name]; is && other != nil && other != rails.Naira {
			currency = fmt.Sprint(other)
		}
	}
	text, _ := told["fee"].(string)
	if fee, err := readNaira(text); err == nil {
		return fee, currency
	}
	return 0, currency
}

// cameBack asks whether a payout was reversed. It counts only a finished reversal of our payout and of the whole
// amount. For any other reversal it returns a sentence, and we ask the bank again.
func (c *Client) cameBack(ctx context.Context, reference string, paid money.Kobo) (whole bool, doubt string, err error) {
	var told transaction
	err = c.ask(ctx, "/transactions/reversal?reference="+url.QueryEscape(reference), &told)
	if errors.Is(err, errPending) || errors.Is(err, rails.ErrNoAccount) {
		return false, "", nil
	}
	if err != nil || told == (transaction{}) {
		return false, "", err
	}
	amount, unread := readNaira(told.Amount)
	if told.of(reference) && Outcome(told.Status) == rails.Paid && unread == nil && amount == paid {
		return true, "", nil
	}
	return false, fmt.Sprintf("The bank tells of a return that is not this whole payout's, or not done: ₦%s, transactionStatus %s, of %q. Ask the bank about it.",
		told.Amount, told.Status, told.Reference), nil
}
