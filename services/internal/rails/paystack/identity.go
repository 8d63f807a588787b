package paystack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var (
	_ rails.Enquirer     = (*Client)(nil)
	_ rails.Verifier     = (*Client)(nil)
	_ rails.IdentityHook = (*Client)(nil)
)

// ask reads the data of a successful answer. ok is false when the gateway refused with the one refusal that decides;
// every other refusal, such as asking too often, is fault.Unavailable.
func (c *Client) ask(ctx context.Context, method, path string, payload, data any, no refusal) (ok bool, err error) {
	answer, err := c.do(ctx, method, path, payload)
	if errors.Is(err, call.ErrLate) {
		return false, c.caller.Unavailable(err)
	}
	if err != nil {
		return false, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return false, c.caller.Unavailable(fmt.Errorf("HTTP %d, not JSON", answer.Status))
	}
	switch {
	case no.by(answer, reply):
		return false, nil
	case !reply.OK, !answer.Decided():
		return false, c.caller.Unavailable(fmt.Errorf("HTTP %d, %q", answer.Status, reply.Message))
	}
	if data != nil {
		if err := json.Unmarshal(reply.Data, data); err != nil {
			return false, c.caller.Unavailable(errors.New("an answer whose data cannot be read"))
		}
	}
	return true, nil
}

// AccountName is the gateway's name enquiry.
func (c *Client) AccountName(ctx context.Context, bank rails.Bank, number string) (string, error) {
	var data struct {
		Name string `json:"account_name"`
	}
	ok, err := c.ask(ctx, http.MethodGet, "/bank/resolve?"+url.Values{"account_number": {number}, "bank_code": {bank.Code}}.Encode(), nil, &data, noAccount)
	switch {
	case err == nil && !ok:
		err = rails.ErrNoAccount
	case err == nil && data.Name == "":
		err = c.caller.Unavailable(errors.New("an account without a name"))
	}
	return data.Name, err
}

// Banks returns the banks by their CBN codes.
func (c *Client) Banks(ctx context.Context) ([]rails.Bank, error) {
	var data []struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	if _, err := c.ask(ctx, http.MethodGet, "/bank?country=nigeria&perPage=100", nil, &data, never); err != nil {
		return nil, c.caller.Unavailable(fmt.Errorf("no list of banks: %w", err))
	}
	banks := make([]rails.Bank, len(data))
	for i, b := range data {
		banks[i] = rails.Bank{Code: b.Code, Name: b.Name}
	}
	return banks, nil
}

// Verify asks the gateway to check the claim; the gateway reports the result by webhook. Called again with the customer
// id that the first call returned, it says whether that customer is identified by now.
func (c *Client) Verify(ctx context.Context, claim rails.Claim) (rails.Finding, error) {
	if claim.Customer != "" {
		return c.identified(ctx, claim.Customer)
	}
	var customer struct {
		Code string `json:"customer_code"`
	}
	// The gateway returns the same customer for an e-mail that it knows.
	_, err := c.ask(ctx, http.MethodPost, "/customer", map[string]string{"email": claim.Email, "first_name": claim.FirstName, "last_name": claim.LastName}, &customer, never)
	if err != nil {
		return rails.Finding{}, err
	}
	if customer.Code == "" {
		return rails.Finding{}, c.caller.Unavailable(errors.New("no customer was made"))
	}
	// A customer whom the gateway identified before is not decided yet either: we ask about the customer next.
	_, err = c.ask(ctx, http.MethodPost, "/customer/"+url.PathEscape(customer.Code)+"/identification", map[string]string{
		"country": "NG", "type": "bank_account", "account_number": claim.Account, "bvn": claim.BVN.Reveal(),
		"bank_code": claim.Bank.Code, "first_name": claim.FirstName, "last_name": claim.LastName,
	}, nil, wasIdentified)
	if err != nil {
		return rails.Finding{}, err
	}
	return rails.Finding{Customer: customer.Code}, nil
}

func (c *Client) identified(ctx context.Context, customer string) (rails.Finding, error) {
	finding := rails.Finding{Customer: customer}
	var data struct {
		Identified bool `json:"identified"`
	}
	ok, err := c.ask(ctx, http.MethodGet, "/customer/"+url.PathEscape(customer), nil, &data, noCustomer)
	if ok && data.Identified {
		finding.Verdict = rails.Match
	}
	return finding, err
}

// ParseIdentity reads the result of a check.
func (c *Client) ParseIdentity(header http.Header, body []byte) (rails.IdentityNotice, error) {
	if _, err := c.open(header, body); err != nil {
		return rails.IdentityNotice{}, err
	}
	var told struct {
		Event string `json:"event"`
		Data  struct {
			Customer       string `json:"customer_code"`
			Email          string `json:"email"`
			Identification struct {
				Account string `json:"account_number"`
				BVN     string `json:"bvn"` // 222*****223
			} `json:"identification"`
		} `json:"data"`
	}
	if err := json.Unmarshal(call.Storable(body), &told); err != nil {
		return rails.IdentityNotice{}, rails.ErrNoPayment // Another event's data has another form.
	}
	notice := rails.IdentityNotice{Customer: told.Data.Customer, Email: told.Data.Email, Account: told.Data.Identification.Account, Verdict: rails.Mismatch}
	if bvn := told.Data.Identification.BVN; len(bvn) >= 3 {
		notice.BVNEnd = bvn[len(bvn)-3:]
	}
	switch told.Event {
	case "customeridentification.success":
		notice.Verdict = rails.Match
	case "customeridentification.failed":
	default:
		return rails.IdentityNotice{}, rails.ErrNoPayment
	}
	if notice.Customer == "" || len(notice.Customer) > 128 {
		return rails.IdentityNotice{}, fault.New(fault.Invalid, "The webhook cannot be read.")
	}
	return notice, nil
}
