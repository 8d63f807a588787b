package vfd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails/call"
)

const (
	authPath   = "/vfd-tech/baas-portal/v1.1/baasauth/token"
	walletPath = "/vtech-wallet/api/v2/wallet2"
)

// Options says how to reach the bank and how to sign in.
type Options struct {
	Host           string // Without a trailing slash.
	ConsumerKey    string
	ConsumerSecret string
	WalletName     string // Also the merchant's name, which payers see as the account's name.
	MerchantID     string
	WebhookSecret  string      // The secret part of the webhook's path.
	BankName       string      // What payers choose in their own bank's list; "VFD Microfinance Bank" when empty.
	Now            clock.Clock // clock.System when nil.
}

// Client is the bank as a rails.Collector. It is safe for concurrent use.
type Client struct {
	options Options
	caller  *call.Client
	mu      sync.Mutex
	token   string
}

// New makes the client; it calls nobody.
func New(options Options) *Client {
	options.Host = strings.TrimRight(options.Host, "/")
	if options.BankName == "" {
		options.BankName = "VFD Microfinance Bank"
	}
	if options.Now == nil {
		options.Now = clock.System
	}
	return &Client{options: options, caller: call.New("The bank")}
}

// Check signs in, so that a refused credential stops the start instead of the first payment.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.freshToken(ctx, "")
	return err
}

// envelope wraps every answer of the bank.
type envelope struct {
	Status  string          `json:"status"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// freshToken returns the token in use, or fetches another when that one is stale. Callers take turns.
func (c *Client) freshToken(ctx context.Context, stale string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && c.token != stale {
		return c.token, nil
	}
	answer, err := c.caller.Do(ctx, http.MethodPost, c.options.Host+authPath, nil, map[string]string{
		"consumerKey": c.options.ConsumerKey, "consumerSecret": c.options.ConsumerSecret, "validityTime": "-1",
	})
	if err != nil {
		return "", err
	}
	var reply envelope
	var data struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(answer.Body, &reply); err != nil || reply.Status != "00" {
		return "", fmt.Errorf("VFD refused VFD_CONSUMER_KEY and VFD_CONSUMER_SECRET: HTTP %d, status %q, %q", answer.Status, reply.Status, reply.Message)
	}
	if err := json.Unmarshal(reply.Data, &data); err != nil || data.Token == "" {
		return "", fmt.Errorf("VFD answered the sign-in with status 00 and no access_token (HTTP %d)", answer.Status)
	}
	c.token = data.Token
	return c.token, nil
}

// do calls the wallet API, and repeats the call with a new token when the bank answers 403. Orders use once instead.
func (c *Client) do(ctx context.Context, method, path string, payload any) (call.Answer, error) {
	answer, token, err := c.once(ctx, "", method, path, payload)
	if err == nil && answer.Status == http.StatusForbidden {
		answer, _, err = c.once(ctx, token, method, path, payload)
	}
	return answer, err
}

// once calls the wallet API a single time, and also returns the token that it used: the one in use, or another when
// that one is stale.
func (c *Client) once(ctx context.Context, stale, method, path string, payload any) (call.Answer, string, error) {
	token, err := c.freshToken(ctx, stale)
	if err != nil {
		return call.Answer{}, "", c.reachable(err)
	}
	answer, err := c.caller.Do(ctx, method, c.options.Host+walletPath+path, http.Header{"Accesstoken": {token}}, payload)
	return answer, token, err
}

// reachable turns every failed sign-in into a fault that may be retried: the bank got no request yet.
func (c *Client) reachable(err error) error {
	if fault.As(err) != nil || errors.Is(err, context.Canceled) {
		return err
	}
	return c.caller.Unavailable(err)
}
