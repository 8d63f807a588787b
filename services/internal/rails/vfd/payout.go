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
	"unicode"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var _ rails.Payer = (*Client)(nil)

// Reference is ours with the wallet's name before it, as the bank wants it.
func (c *Client) Reference(withdrawalID string) string {
	name := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, c.options.WalletName)
	return name + "-" + withdrawalID
}

// party is an account with what the bank wants to be told of it.
type party struct {
	Number   string `json:"accountNo"`
	ID       string `json:"accountId"`
	ClientID string `json:"clientId"`
	Client   string `json:"client"`
	BVN      string `json:"bvn"`
}

// Prepare asks about our own account and the receiver's: the order must name what the bank answers here.
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

// recipient is how the bank is asked about the receiver's account, and the kind of transfer that it takes.
func recipient(payout rails.Payout) (query url.Values, kind string) {
	if payout.Bank.NIP == ownNIP {
		return url.Values{"accountNo": {payout.Account}, "bank": {ownInside}, "transfer_type": {"intra"}}, "intra"
	}
	return url.Values{"accountNo": {payout.Account}, "bank": {payout.Bank.NIP}, "transfer_type": {"inter"}}, "inter"
}

// asked is ask for what must be known now.
func (c *Client) asked(ctx context.Context, path string, data any) error {
	err := c.ask(ctx, path, data)
	if errors.Is(err, errPending) {
		return c.caller.Unavailable(err)
	}
	return err
}

// transfer gives the order. Only a failure that the bank itself names is one; that it was paid, the query says.
func (c *Client) transfer(ctx context.Context, order map[string]string) rails.PayoutStatus {
	answer, err := c.do(ctx, http.MethodPost, "/transfer", order)
	if err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: "no answer"}
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.PayoutStatus{State: rails.Pending, Answer: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}
	}
	status := rails.PayoutStatus{State: rails.Pending, Answer: said(answer.Status, reply)}
	refused := answer.Status == http.StatusOK || answer.Status == http.StatusBadRequest
	switch {
	case kept(reply.Status):
		status.Answer += keptWords
	case refused && Outcome(reply.Status) == rails.Failed:
		status.State, status.Reason = rails.Failed, reply.Message
	}
	return status
}

func said(httpStatus int, reply envelope) string {
	return fmt.Sprintf("HTTP %d, status %s, %s", httpStatus, reply.Status, reply.Message)
}

// PayoutStatus asks for a reference, and when it was paid whether it came back since.
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
	var told transaction
	if err := json.Unmarshal(reply.Data, &told); err != nil || told.Status == "" {
		if reply.Status == codeNoSuch {
			out.State = rails.Unknown
		}
		return out, nil // As above.
	}
	out.Answer += ", transactionStatus " + told.Status
	if kept(told.Status) {
		out.Answer += keptWords
		return out, nil
	}
	status, err := told.read(reference, reply.Message)
	if err != nil {
		return rails.PayoutStatus{}, err
	}
	out.State, out.Reason, out.ProviderRef = status.State, status.Reason, status.ProviderRef
	out.Amount, out.Currency, out.PaidAt = status.Amount, status.Currency, status.PaidAt
	if out.State != rails.Paid {
		return out, nil
	}
	out.Reversed, err = c.cameBack(ctx, reference)
	if out.Reversed {
		out.Reason, out.Answer = "The receiving bank sent it back.", out.Answer+", reversed"
	}
	return out, err
}

// cameBack asks whether a payout was reversed. An unreadable answer counts as no: the bank is asked again.
func (c *Client) cameBack(ctx context.Context, reference string) (bool, error) {
	var data json.RawMessage
	err := c.ask(ctx, "/transactions/reversal?reference="+url.QueryEscape(reference), &data)
	if errors.Is(err, errPending) || errors.Is(err, rails.ErrNoAccount) {
		return false, nil
	}
	return err == nil && len(data) > 0 && string(data) != "null", err
}
