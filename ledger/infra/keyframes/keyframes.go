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
type Table struct{ Pool *pgxpool.Pool }

var _ replay.Keyframes = Table{}

// Open answers the table, or nil where nothing has made it yet.
func Open(ctx context.Context, pool *pgxpool.Pool) (replay.Keyframes, error) {
	var there bool
	if err := pool.QueryRow(ctx, "SELECT to_regclass('replay_keyframes') IS NOT NULL").Scan(&there); err != nil || !there {
		return nil, err
	}
	return Table{pool}, nil
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
	batch := &pgx.Batch{}
	for _, k := range all {
		batch.Queue("INSERT INTO replay_keyframes (subject, folds, pos, leaf, since, earliest, latest, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
			k.Subject, k.Folds, k.Pos, k.Leaf, k.Since, k.Earliest, k.Latest, k.Body)
	}
	if err := t.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keyframes: keep %d: %w", len(all), err)
	}
	return nil
}
