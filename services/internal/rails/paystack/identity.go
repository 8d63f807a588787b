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

// ask reads data out of an answer that says it went well. ok is false when the gateway said no.
func (c *Client) ask(ctx context.Context, method, path string, payload, data any) (ok bool, err error) {
	answer, err := c.do(ctx, method, path, payload)
	if errors.Is(err, call.ErrLate) {
		return false, c.caller.Unavailable(err)
	}
	if err != nil {
		return false, err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil || answer.Status >= http.StatusInternalServerError || answer.Status == http.StatusUnauthorized {
		return false, c.caller.Unavailable(fmt.Errorf("HTTP %d, %q", answer.Status, reply.Message))
	}
	if !reply.OK {
		return false, nil
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
	ok, err := c.ask(ctx, http.MethodGet, "/bank/resolve?"+url.Values{"account_number": {number}, "bank_code": {bank.Code}}.Encode(), nil, &data)
	if err == nil && (!ok || data.Name == "") {
		err = rails.ErrNoAccount
	}
	return data.Name, err
}

// Banks answers the banks by the CBN's codes.
func (c *Client) Banks(ctx context.Context) ([]rails.Bank, error) {
	var data []struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	ok, err := c.ask(ctx, http.MethodGet, "/bank?country=nigeria&perPage=100", nil, &data)
	if err != nil || !ok {
		return nil, c.caller.Unavailable(errors.Join(errors.New("no list of banks"), err))
	}
	banks := make([]rails.Bank, len(data))
	for i, b := range data {
		banks[i] = rails.Bank{Code: b.Code, Name: b.Name}
	}
	return banks, nil
}

// Verify has the gateway check the claim, which it tells of by webhook. Asked again with the customer that it answered,
// it says whether that customer is identified by now.
func (c *Client) Verify(ctx context.Context, claim rails.Claim) (rails.Finding, error) {
	if claim.Customer != "" {
		return c.identified(ctx, claim.Customer)
	}
	var customer struct {
		Code string `json:"customer_code"`
	}
	// The gateway answers one that it knows by this e-mail again.
	ok, err := c.ask(ctx, http.MethodPost, "/customer", map[string]string{"email": claim.Email, "first_name": claim.FirstName, "last_name": claim.LastName}, &customer)
	if err != nil {
		return rails.Finding{}, err
	}
	if !ok || customer.Code == "" {
		return rails.Finding{}, c.caller.Unavailable(errors.New("no customer was made"))
	}
	ok, err = c.ask(ctx, http.MethodPost, "/customer/"+url.PathEscape(customer.Code)+"/identification", map[string]string{
		"country": "NG", "type": "bank_account", "account_number": claim.Account, "bvn": claim.BVN.Reveal(),
		"bank_code": claim.Bank.Code, "first_name": claim.FirstName, "last_name": claim.LastName,
	}, nil)
	switch {
	case err != nil:
		return rails.Finding{}, err
	case !ok:
		return rails.Finding{Verdict: rails.Mismatch, Customer: customer.Code}, nil
	}
	return rails.Finding{Customer: customer.Code}, nil
}

func (c *Client) identified(ctx context.Context, customer string) (rails.Finding, error) {
	finding := rails.Finding{Customer: customer}
	var data struct {
		Identified bool `json:"identified"`
	}
	ok, err := c.ask(ctx, http.MethodGet, "/customer/"+url.PathEscape(customer), nil, &data)
	if ok && data.Identified {
		finding.Verdict = rails.Match
	}
	return finding, err
}

// ParseIdentity reads what became of a check.
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
