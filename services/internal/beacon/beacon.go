// Package beacon fetches rounds of a drand beacon from those who pass them on. Nobody of them is believed: a signature
// is checked before it is answered.
package beacon

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/services/internal/rails/call"
)

// mirrorTime is how long one mirror may take.
const mirrorTime = 5 * time.Second

// Options is which beacon it is and who passes it on.
type Options struct {
	Beacon     draw.Beacon
	Mirrors    []string      // Where drand's HTTP API is, such as https://api.drand.sh.
	MirrorTime time.Duration // How long one may take; five seconds when 0.
}

// Client fetches rounds. It is safe for concurrent use.
type Client struct {
	options Options
	caller  *call.Client
}

// New makes a client; it calls nobody.
func New(options Options) *Client {
	mirrors := make([]string, len(options.Mirrors))
	for i, mirror := range options.Mirrors {
		mirrors[i] = strings.TrimRight(strings.TrimSpace(mirror), "/")
	}
	options.Mirrors = mirrors
	if options.MirrorTime == 0 {
		options.MirrorTime = mirrorTime
	}
	return &Client{options: options, caller: call.New("The beacon")}
}

// Beacon is the beacon that it fetches from.
func (c *Client) Beacon() draw.Beacon { return c.options.Beacon }

// Fetch answers the signature of a round, from the first mirror that tells the right one. When none does, its error is
// a fault.Unavailable that says what each of them answered. It does not try again.
func (c *Client) Fetch(ctx context.Context, round uint64) (signature []byte, err error) {
	said := make([]error, 0, len(c.options.Mirrors)+1)
	for _, mirror := range c.options.Mirrors {
		if signature, err = c.ask(ctx, mirror, round); err == nil {
			return signature, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		said = append(said, fmt.Errorf("%s: %w", mirror, err))
	}
	return nil, &missing{round: round, name: c.options.Beacon.Name, said: said}
}

// missing is a round that no mirror had.
type missing struct {
	round uint64
	name  string
	said  []error
}

func (m *missing) Error() string {
	text := make([]string, len(m.said))
	for i, err := range m.said {
		text[i] = err.Error()
	}
	return fmt.Sprintf("round %d of %s is not to be had: %s", m.round, m.name, strings.Join(text, "; "))
}

// Unwrap is what people are told, whatever each mirror said.
func (m *missing) Unwrap() error {
	return fault.New(fault.Unavailable, "The beacon of round %d cannot be had just now. The draw waits for it; please try again shortly.", m.round)
}

// ask has one mirror tell a round. https://docs.drand.love/developer/http-api
func (c *Client) ask(ctx context.Context, mirror string, round uint64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.MirrorTime)
	defer cancel()
	b := c.options.Beacon
	answer, err := c.caller.Do(ctx, http.MethodGet, mirror+"/"+hex.EncodeToString(b.Chain[:])+"/public/"+strconv.FormatUint(round, 10), nil, nil)
	if err != nil {
		return nil, err
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("it answered %d", answer.Status)
	}
	var told struct {
		Round     uint64 `json:"round"`
		Signature string `json:"signature"`
	}
	if json.Unmarshal(answer.Body, &told) != nil {
		return nil, errors.New("its answer is no round")
	}
	if told.Round != round {
		return nil, fmt.Errorf("it answered round %d", told.Round)
	}
	signature, err := hex.DecodeString(told.Signature)
	if err != nil {
		return nil, errors.New("its signature is not hexadecimal")
	}
	if err := b.Verify(round, signature); err != nil {
		return nil, err
	}
	return signature, nil
}
