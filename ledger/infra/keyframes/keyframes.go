// Package keyframes keeps the keyframes of replays in a table beside the ledger. They are a cache: see replay.Keyframe.
package keyframes

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/infra/replay"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate makes the table.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, files, "goose_keyframes")
}

// Table keeps keyframes in Postgres. Its pool's user owns the table.
type Table struct {
	Pool  *pgxpool.Pool
	Clock clock.Clock // For the time of making them: Keep and Tidy need it.
}

var _ replay.Keyframes = Table{}

// Open answers the table, or nil if it does not exist yet.
func Open(ctx context.Context, pool *pgxpool.Pool, now clock.Clock) (replay.Keyframes, error) {
	var there bool
	if err := pool.QueryRow(ctx, "SELECT to_regclass('replay_keyframes') IS NOT NULL").Scan(&there); err != nil || !there {
		return nil, err
	}
	return Table{pool, now}, nil
}

// Newest implements replay.Keyframes.
func (Table) Newest(ctx context.Context, tx pgx.Tx, subject, folds string, upto int64, latest time.Time) (*replay.Keyframe, error) {
	k := replay.Keyframe{Subject: subject, Folds: folds}
	err := tx.QueryRow(ctx, `SELECT pos, leaf, since, earliest, latest, body FROM replay_keyframes
		WHERE subject = $1 AND folds = $2 AND pos <= $3 AND ($4::timestamptz IS NULL OR latest <= $4) ORDER BY pos DESC LIMIT 1`,
		subject, folds, upto, orNull(latest)).Scan(&k.Pos, &k.Leaf, &k.Since, &k.Earliest, &k.Latest, &k.Body)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("keyframes: the newest of %s: %w", subject, err)
	}
	k.Earliest, k.Latest = k.Earliest.UTC(), k.Latest.UTC()
	return &k, nil
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Stretches implements replay.Keyframes.
func (Table) Stretches(ctx context.Context, tx pgx.Tx, subject, folds string, after int64) ([]replay.Stretch, error) {
	rows, err := tx.Query(ctx, "SELECT since, pos, earliest FROM replay_keyframes WHERE subject = $1 AND folds = $2 AND pos > $3 ORDER BY pos", subject, folds, after)
	if err != nil {
		return nil, fmt.Errorf("keyframes: the stretches of %s: %w", subject, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[replay.Stretch])
}

// Keep implements replay.Keyframes.
func (t Table) Keep(ctx context.Context, all []replay.Keyframe) error {
	batch, now := &pgx.Batch{}, t.Clock().UTC()
	for _, k := range all {
		batch.Queue("INSERT INTO replay_keyframes (subject, folds, pos, leaf, since, earliest, latest, body, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
			k.Subject, k.Folds, k.Pos, k.Leaf, k.Since, k.Earliest, k.Latest, k.Body, now)
	}
	if err := t.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keyframes: keep %d: %w", len(all), err)
	}
	return nil
}

// Drop implements replay.Keyframes.
func (t Table) Drop(ctx context.Context, subject, folds string, from int64) error {
	if _, err := t.Pool.Exec(ctx, "DELETE FROM replay_keyframes WHERE subject = $1 AND folds = $2 AND pos >= $3", subject, folds, from); err != nil {
		return fmt.Errorf("keyframes: drop those of %s: %w", subject, err)
	}
	return nil
}

// Subjects are the subjects that have keyframes of the given folds, in order: at most limit after the given one.
func (t Table) Subjects(ctx context.Context, folds, after string, limit int) ([]string, error) {
	rows, err := t.Pool.Query(ctx, "SELECT DISTINCT subject FROM replay_keyframes WHERE folds = $1 AND subject > $2 ORDER BY subject LIMIT $3", folds, after, limit)
	if err != nil {
		return nil, fmt.Errorf("keyframes: their subjects: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Of are all keyframes of a subject by some folds, in order.
func (t Table) Of(ctx context.Context, subject, folds string) ([]replay.Keyframe, error) {
	rows, err := t.Pool.Query(ctx, "SELECT subject, folds, pos, leaf, since, earliest, latest, body FROM replay_keyframes WHERE subject = $1 AND folds = $2 ORDER BY pos", subject, folds)
	if err != nil {
		return nil, fmt.Errorf("keyframes: those of %s: %w", subject, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[replay.Keyframe])
}

// Tidy drops keyframes that builds with other folds made, a month after they were made.
func (t Table) Tidy(ctx context.Context, folds string) error {
	if _, err := t.Pool.Exec(ctx, "DELETE FROM replay_keyframes WHERE folds <> $1 AND made_at < $2", folds, t.Clock().UTC().AddDate(0, 0, -30)); err != nil {
		return fmt.Errorf("keyframes: tidy: %w", err)
	}
	return nil
}
