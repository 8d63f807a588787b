package payouts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// asking is how far a payout has been asked about.
type asking struct {
	Tries        int
	AskedAt      *time.Time
	NextAt       *time.Time
	UnknownSince *time.Time
	Answer       string
}

// askStore keeps how far payouts have been asked about.
type askStore struct{ pool *pgxpool.Pool }

func (s *Service) asks() askStore { return askStore{s.Pool} }

// one reads it of a payout, which is begun where nobody came to it yet.
func (k askStore) one(ctx context.Context, id string) (asking, error) {
	var asks asking
	err := k.pool.QueryRow(ctx, `INSERT INTO payout_asks (withdrawal_id) VALUES ($1) ON CONFLICT (withdrawal_id) DO UPDATE SET tries = payout_asks.tries
		RETURNING tries, asked_at, next_at, unknown_since, answer`, id).Scan(&asks.Tries, &asks.AskedAt, &asks.NextAt, &asks.UnknownSince, &asks.Answer)
	return asks, err
}

// of reads it of payouts, by id; those that nobody came to yet are absent.
func (k askStore) of(ctx context.Context, ids ...string) (map[string]asking, error) {
	rows, err := k.pool.Query(ctx, "SELECT withdrawal_id, tries, asked_at, next_at, unknown_since, answer FROM payout_asks WHERE withdrawal_id = ANY($1)", ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]asking, len(ids))
	var (
		id   string
		asks asking
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &asks.Tries, &asks.AskedAt, &asks.NextAt, &asks.UnknownSince, &asks.Answer}, func() error { found[id] = asks; return nil })
	return found, err
}

// note writes it down.
func (k askStore) note(ctx context.Context, id string, asks asking) error {
	_, err := k.pool.Exec(ctx, `UPDATE payout_asks SET tries = $2, asked_at = $3, next_at = $4, unknown_since = $5, answer = $6 WHERE withdrawal_id = $1`,
		id, asks.Tries, asks.AskedAt, asks.NextAt, asks.UnknownSince, usecase.Plain(asks.Answer))
	return err
}

// begin has payouts asked about from now on that nobody is to ask about yet.
func (k askStore) begin(ctx context.Context, ids []string, now time.Time) error {
	_, err := k.pool.Exec(ctx, `INSERT INTO payout_asks (withdrawal_id, next_at) SELECT id, $2 FROM unnest($1::text[]) AS id
		ON CONFLICT (withdrawal_id) DO UPDATE SET next_at = excluded.next_at WHERE payout_asks.next_at IS NULL`, ids, now)
	return err
}

// due are the payouts that are to be asked about now.
func (k askStore) due(ctx context.Context, now time.Time) ([]string, error) {
	rows, err := k.pool.Query(ctx, `SELECT withdrawal_id FROM payout_asks WHERE next_at <= $1 ORDER BY next_at LIMIT $2`, now, payoutsAtOnce)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// again notes an answer and when to ask again.
func (s asking) again(now time.Time, answer string) asking {
	wait := min(askFirst<<min(s.Tries, 10), askMost)
	next := now.Add(wait)
	s.Tries, s.AskedAt, s.NextAt, s.Answer = s.Tries+1, &now, &next, answer
	return s
}

// waits notes why a payout is not sent yet although no bank keeps it: that is looked at again soon, and counts as no
// try.
func (s asking) waits(now time.Time, why string) asking {
	next := now.Add(askFirst)
	s.AskedAt, s.NextAt, s.Answer = &now, &next, why
	return s
}

// over notes that nothing is to be asked any more.
func (s asking) over(now time.Time, answer string) asking {
	s.Tries, s.AskedAt, s.NextAt, s.Answer = s.Tries+1, &now, nil, answer
	return s
}

func (s asking) due(now time.Time) bool { return s.NextAt == nil || !now.Before(*s.NextAt) }

// told notes since when the bank knows of no such payout, by its latest answer.
func (s asking) told(now time.Time, state rails.State) asking {
	switch {
	case state != rails.Unknown:
		s.UnknownSince = nil
	case s.UnknownSince == nil:
		s.UnknownSince = &now
	}
	return s
}

// unknown reports whether the bank has known of no such payout for so long that it never will.
func (s asking) unknown(now time.Time) bool {
	return s.UnknownSince != nil && now.Sub(*s.UnknownSince) >= unknownTwice
}

// own has one process at a time send a payout: what others may hold of it meanwhile is left to that one, however long
// it takes. Should it die, Postgres lets go of the payout with its connection.
func (k askStore) own(ctx context.Context, id string, send func() error) error {
	conn, err := k.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	const key = "hashtextextended('adashi payout ' || current_schema() || ' ' || $1, 0)"
	var mine bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+key+")", id).Scan(&mine); err != nil || !mine {
		return err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")", id)
	}()
	return send()
}
