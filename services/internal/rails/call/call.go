// Package call is the only way in which rail adapters speak HTTP. It sets a timeout, limits the body, and distinguishes
// a rail that cannot be reached, one that answered too late, and one that answered.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	neturl "net/url"
	"time"

	"adashi.ng/ledger/base/fault"
)

const (
	timeMax      = 15 * time.Second
	bodyBytesMax = 1 << 20
)

// Client is for one rail.
type Client struct {
	Name string // How people know the rail: "the bank".
	http *http.Client
}

// New makes a client that follows no redirect: a rail that redirects is not the rail.
func New(name string) *Client {
	return &Client{Name: name, http: &http.Client{
		Timeout: timeMax,
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       90 * time.Second,
			ResponseHeaderTimeout: timeMax,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Answer is a rail's HTTP response.
type Answer struct {
	Status int
	Body   []byte
}

// Decided reports whether the response answers our question. It does not, whatever its body says, where we may not ask
// (401, 403), the rail took too long (408), we ask too often (429), the rail is down (5xx), or the rail redirects us.
func (a Answer) Decided() bool {
	switch a.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	default:
		return a.Status/100 == 2
	}
}

// ErrLate is a request that was sent and not answered in time, or not in full: we do not know whether the rail acted on
// it.
var ErrLate = errors.New("call: no answer in time")

// Do sends payload as JSON (nothing when nil). It returns fault.Unavailable for a rail that cannot be reached, and
// ErrLate for one that was reached and did not answer.
func (c *Client) Do(ctx context.Context, method, url string, header http.Header, payload any) (Answer, error) {
	sent := http.Header{"Accept": {"application/json"}}
	maps.Copy(sent, header)
	if payload == nil {
		return c.send(ctx, method, url, sent, http.NoBody)
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", c.Name, err)
	}
	sent.Set("Content-Type", "application/json")
	return c.send(ctx, method, url, sent, bytes.NewReader(raw))
}

// Put uploads a file to an address that the rail gave, which needs no key. Its errors are those of Do; none contains
// the address, which stays secret until it expires.
func (c *Client) Put(ctx context.Context, url, contentType string, data []byte) (Answer, error) {
	answer, err := c.send(ctx, http.MethodPut, url, http.Header{"Content-Type": {contentType}}, bytes.NewReader(data))
	var named *neturl.Error
	if errors.As(err, &named) {
		err = c.failure(named.Err)
	}
	return answer, err
}

func (c *Client) send(ctx context.Context, method, url string, header http.Header, body io.Reader) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", c.Name, err)
	}
	request.Header = header
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, c.failure(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, bodyBytesMax+1))
	if err != nil {
		return Answer{}, c.failure(err)
	}
	if len(raw) > bodyBytesMax {
		return Answer{}, fmt.Errorf("%s: %w: its answer is larger than we read", c.Name, ErrLate)
	}
	return Answer{Status: response.StatusCode, Body: Storable(raw)}, nil
}

// Storable replaces U+0000 in a rail's JSON, because Postgres cannot store it: a text that somebody wrote to a bank
// must not stop us from crediting the money. It changes no other text.
func Storable(raw []byte) []byte { return bytes.ReplaceAll(raw, []byte(`\u0000`), []byte(`\ufffd`)) }

// failure distinguishes “never reached” from “reached and not answered”.
func (c *Client) failure(err error) error {
	var op *net.OpError
	var dns *net.DNSError
	if errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" {
		return c.Unavailable(err)
	}
	return fmt.Errorf("%s: %w: %w", c.Name, ErrLate, err)
}

// Unavailable is the fault for a rail that did not do what we asked; we may ask again.
func (c *Client) Unavailable(cause error) error {
	return fmt.Errorf("%s: %w: %w", c.Name,
		fault.New(fault.Unavailable, "%s cannot be reached just now. Nothing was taken. Please try again shortly.", c.Name), cause)
}
