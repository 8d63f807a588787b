package sandbox

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
)

const (
	attemptsMax = 12
	batchMax    = 20
	backoffMax  = 5 * time.Minute
	pollEvery   = 2 * time.Second // For what another process queued.
)

// webhook is one to be delivered.
type webhook struct {
	ID       int64
	Rail     string
	Body     []byte
	Attempts int
}

// queueWebhook stores it for delivery at that time, or twice.
func queueWebhook(ctx context.Context, tx pgx.Tx, rail string, body []byte, at time.Time, twice bool) error {
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

// nudge has Run look at once.
func (b *Bank) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Run delivers webhooks until the context ends, and answers nil then. Each is tried until it is answered 2xx, with
// growing pauses. Any number of processes may run it.
func (b *Bank) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-b.wake:
		case <-timer.C:
		}
		if err := b.sendBack(ctx); err != nil && !errors.Is(err, context.Canceled) {
			slog.WarnContext(ctx, "sandbox: payouts not sent back", "error", err)
		}
		more := true
		for more && ctx.Err() == nil {
			var err error
			if more, err = b.deliverDue(ctx); err != nil && !errors.Is(err, context.Canceled) {
				slog.WarnContext(ctx, "sandbox: webhooks not delivered", "error", err)
			}
		}
		timer.Reset(b.pause(ctx))
	}
}

// pause is how long until the next is due, pollEvery at most.
func (b *Bank) pause(ctx context.Context) time.Duration {
	var next *time.Time
	err := b.pool.QueryRow(ctx, `SELECT min(next_at) FROM sandbox_webhooks WHERE done_at IS NULL`).Scan(&next)
	if err != nil || next == nil {
		return pollEvery
	}
	return max(min(next.Sub(b.now()), pollEvery), 10*time.Millisecond)
}

// deliverDue takes a batch that is due, leaving each to be tried again later should we die, and delivers it. It
// reports whether there may be more.
func (b *Bank) deliverDue(ctx context.Context) (bool, error) {
	now := b.now()
	rows, err := b.pool.Query(ctx, `
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
		if err := b.finish(ctx, hook, b.deliver(ctx, hook)); err != nil {
			return false, err
		}
	}
	return len(due) == batchMax, nil
}

// finish records how the delivery went. After attemptsMax it is given up.
func (b *Bank) finish(ctx context.Context, hook webhook, failure error) error {
	problem := ""
	if failure != nil {
		problem = word(failure.Error(), 500)
	}
	_, err := b.pool.Exec(ctx, `UPDATE sandbox_webhooks SET last_error = $2, done_at = CASE WHEN $3 THEN $4::timestamptz END WHERE id = $1`,
		hook.ID, problem, failure == nil || hook.Attempts >= attemptsMax, b.now())
	return err
}

func (b *Bank) deliver(ctx context.Context, hook webhook) error {
	address := b.options.VfdWebhookURL
	if hook.Rail == "paystack" {
		address = b.options.PaystackWebhookURL
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(hook.Body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if hook.Rail == "paystack" {
		mac := hmac.New(sha512.New, []byte(b.options.PaystackKey))
		mac.Write(hook.Body)
		request.Header.Set("X-Paystack-Signature", hex.EncodeToString(mac.Sum(nil)))
	}
	response, err := b.client.Do(request)
	if err != nil {
		return errors.New("no answer") // The error names the address, and so the secret part of its path.
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("answered %d", response.StatusCode)
	}
	return nil
}
