package vfd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var (
	_ rails.Enquirer = (*Client)(nil)
	_ rails.Verifier = (*Client)(nil)
)

const (
	ownNIP    = "090110" // Our bank's code in the network,
	ownInside = "999999" // and inside its own calls.
)

// errPending is an answer that decides nothing yet.
var errPending = errors.New("vfd: no answer yet")

// ask reads the data of an answer. It returns rails.ErrNoAccount when the bank says that there is no such account or
// BVN, and errPending when the bank's answer does not decide.
func (c *Client) ask(ctx context.Context, path string, data any) error {
	answer, err := c.do(ctx, http.MethodGet, path, nil)
	if errors.Is(err, call.ErrLate) {
		return errPending
	}
	if err != nil {
		return err
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return errPending // XML or anything else that is not JSON is pending, by the bank's own rule.
	}
	switch {
	case !answer.Decided():
	case reply.Status == codeNoAccount, reply.Status == codeInvalid:
		return rails.ErrNoAccount
	case Outcome(reply.Status) == rails.Paid && json.Unmarshal(reply.Data, data) == nil:
		return nil
	}
	return fmt.Errorf("%w: %s", errPending, said(answer.Status, reply))
}

// AccountName is the bank's name enquiry.
func (c *Client) AccountName(ctx context.Context, bank rails.Bank, number string) (string, error) {
	query := url.Values{"accountNo": {number}, "bank": {bank.NIP}, "transfer_type": {"inter"}}
	if bank.NIP == ownNIP {
		query.Set("bank", ownInside)
		query.Set("transfer_type", "intra")
	}
	var data struct {
		Name string `json:"name"`
	}
	err := c.ask(ctx, "/transfer/recipient?"+query.Encode(), &data)
	if err == nil && data.Name == "" {
		err = errPending
	}
	if errors.Is(err, errPending) {
		err = c.caller.Unavailable(err)
	}
	return data.Name, err
}

// Banks returns the banks by their NIP codes.
func (c *Client) Banks(ctx context.Context) ([]rails.Bank, error) {
	var data struct {
		Bank []struct {
			Code string `json:"code"`
			Name string `json:"name"`
		} `json:"bank"`
	}
	if err := c.ask(ctx, "/bank", &data); err != nil {
		return nil, c.caller.Unavailable(err)
	}
	banks := make([]rails.Bank, len(data.Bank))
	for i, b := range data.Bank {
		banks[i] = rails.Bank{NIP: b.Code, Name: b.Name}
	}
	return banks, nil
}

// Verify asks for the holder of the BVN and of the account, and compares both with the claim.
func (c *Client) Verify(ctx context.Context, claim rails.Claim) (rails.Finding, error) {
	var data struct {
		FirstName  string `json:"firstName"`
		MiddleName string `json:"middleName"`
		LastName   string `json:"lastName"`
	}
	err := c.ask(ctx, "/client?"+url.Values{"bvn": {claim.BVN.Reveal()}}.Encode(), &data)
	switch {
	case errors.Is(err, errPending), err == nil && data.FirstName+data.LastName == "":
		return rails.Finding{}, nil
	case errors.Is(err, rails.ErrNoAccount):
		return rails.Finding{Verdict: rails.NoBVN}, nil
	case err != nil:
		return rails.Finding{}, err
	case !rails.SameName(data.FirstName+" "+data.MiddleName+" "+data.LastName, claim.FirstName, claim.LastName):
		return rails.Finding{Verdict: rails.Mismatch}, nil
	}
	name, err := c.AccountName(ctx, claim.Bank, claim.Account)
	switch {
	case errors.Is(err, rails.ErrNoAccount):
		return rails.Finding{Verdict: rails.Mismatch}, nil
	case err != nil:
		return rails.Finding{}, err
	case !rails.SameName(name, claim.FirstName, claim.LastName):
		return rails.Finding{Verdict: rails.Mismatch}, nil
	}
	return rails.Finding{Verdict: rails.Match}, nil
}
