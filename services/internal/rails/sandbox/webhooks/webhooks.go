// Package webhooks delivers the sandbox's webhooks: each is stored together with the change that it reports, and sent
// until the merchant answers.
package webhooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
)

const (
	attemptsMax = 12
	batchMax    = 20
	backoffMax  = 5 * time.Minute
	pollEvery   = 2 * time.Second // For webhooks that another process queued.
)

// The dialects that have webhooks.
const (
	VFD      = "vfd"
	Paystack = "paystack"
)

// Options says where webhooks go. All are required.
type Options struct {
	Pool        *pgxpool.Pool
	VFDURL      string
	PaystackURL string
	PaystackKey string // Signs the gateway's.
	Now         clock.Clock
}

// Sender delivers queued webhooks. Without Run it sends none.
type Sender struct {
	Options
	wake   chan struct{}
	client *http.Client
}

// New makes a sender.
func New(options Options) *Sender {
	return &Sender{Options: options, wake: make(chan struct{}, 1), client: &http.Client{Timeout: 15 * time.Second}}
}

// webhook is a webhook to deliver.
type webhook struct {
	ID       int64
	Rail     string
	Body     []byte
	Attempts int
}

// Queue stores a webhook for delivery at that time, or twice.
func Queue(ctx context.Context, tx pgx.Tx, rail string, body []byte, at time.Time, twice bool) error {
	copies := 1
	if twice {
		copies = 2
	}
	for range copies {
		if _, err := tx.Exec(ctx, `INSERT INTO sandbox_webhooks (rail, body, next_at) VALUES ($1, $2, $3)`, rail, body, at); err != nil {
			return fmt.Errorf("queue webhook: %w", err)
		}
	}
	return nil
}

// Nudge makes Run look at once.
func (s *Sender) Nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run delivers webhooks until the context ends, and then returns nil. It tries each until the merchant answers 2xx,
// with growing pauses. Before each look, first may queue more. Any number of processes may run it.
func (s *Sender) Run(ctx context.Context, first func(ctx context.Context) error) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-timer.C:
		}
		if err := first(ctx); err != nil && !errors.Is(err, context.Canceled) {
			slog.WarnContext(ctx, "sandbox: payouts not sent back", "error", err)
		}
		more := true
		for more && ctx.Err() == nil {
			var err error
			if more, err = s.deliverDue(ctx); err != nil && !errors.Is(err, context.Canceled) {
				slog.WarnContext(ctx, "sandbox: webhooks not delivered", "error", err)
			}
		}
		timer.Reset(s.pause(ctx))
	}
}

// Delivered waits, for a limited time, until the queued webhooks are delivered.
func (s *Sender) Delivered(ctx context.Context) {
	until := time.NewTimer(5 * time.Second)
	defer until.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for open := true; open; {
		select {
		case <-until.C:
			return
		case <-look.C:
			if err := s.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM sandbox_webhooks WHERE done_at IS NULL)`).Scan(&open); err != nil {
				return
			}
		}
	}
}

// Deliver tries all due webhooks once.
func (s *Sender) Deliver(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = s.deliverDue(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pause is the time until the next webhook is due, pollEvery at most.
func (s *Sender) pause(ctx context.Context) time.Duration {
	var next *time.Time
	err := s.Pool.QueryRow(ctx, `SELECT min(next_at) FROM sandbox_webhooks WHERE done_at IS NULL`).Scan(&next)
	if err != nil || next == nil {
		return pollEvery
	}
	return max(min(next.Sub(s.Now()), pollEvery), 10*time.Millisecond)
}

// deliverDue takes a batch of due webhooks, schedules each for a retry in case this process dies, and delivers them. It
// reports whether there may be more.
func (s *Sender) deliverDue(ctx context.Context) (bool, error) {
	now := s.Now()
	rows, err := s.Pool.Query(ctx, `
		UPDATE sandbox_webhooks SET attempts = attempts + 1, next_at = $1::timestamptz + least(make_interval(secs => power(2, attempts)), $2)
		WHERE id IN (SELECT id FROM sandbox_webhooks WHERE done_at IS NULL AND next_at <= $1
			ORDER BY next_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
		RETURNING id, rail, body, attempts`, now, backoffMax, batchMax)
	if err != nil {
		return false, err
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[webhook])
	if err != nil {
		return false, err
	}
	for _, hook := range due {
		if err := s.finish(ctx, hook, s.deliver(ctx, hook)); err != nil {
			return false, err
		}
	}
	return len(due) == batchMax, nil
}

// finish records the result of the delivery. After attemptsMax it gives up.
func (s *Sender) finish(ctx context.Context, hook webhook, failure error) error {
	problem := ""
	if failure != nil {
		problem = failure.Error()
	}
	_, err := s.Pool.Exec(ctx, `UPDATE sandbox_webhooks SET last_error = $2, done_at = CASE WHEN $3 THEN $4::timestamptz END WHERE id = $1`,
		hook.ID, problem, failure == nil || hook.Attempts >= attemptsMax, s.Now())
	return err
}

func (s *Sender) deliver(ctx context.Context, hook webhook) error {
	address := s.VFDURL
	if hook.Rail == Paystack {
		address = s.PaystackURL
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(hook.Body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if hook.Rail == Paystack {
		mac := hmac.New(sha512.New, []byte(s.PaystackKey))
		mac.Write(hook.Body)
		request.Header.Set("X-Paystack-Signature", hex.EncodeToString(mac.Sum(nil)))
	}
	response, err := s.client.Do(request)
	if err != nil {
		return errors.New("no answer") // The error names the address, which contains the secret part of its path.
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("answered %d", response.StatusCode)
	}
	return nil
}
