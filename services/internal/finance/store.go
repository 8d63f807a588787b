package finance

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// kept stores the reconciliations.
type kept struct{ pool *pgxpool.Pool }

func (s *Service) kept() kept { return kept{s.Pool} }

const reconciliationColumns = "id, started_at, finished_at, trigger, balanced, problem, reserves, items"

// list reads reconciliations; where is the rest of the SQL statement.
func (k kept) list(ctx context.Context, where string, args ...any) ([]reconciliation, error) {
	rows, err := k.pool.Query(ctx, "SELECT "+reconciliationColumns+" FROM reconciliations WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[reconciliation])
}

// add stores one. oldest is the time of its oldest item that is not dealt with.
func (k kept) add(ctx context.Context, r reconciliation, oldest *time.Time) error {
	sums, err := json.Marshal(r.Reserves)
	if err != nil {
		return err
	}
	items, err := json.Marshal(r.Items)
	if err != nil {
		return err
	}
	_, err = k.pool.Exec(ctx, `INSERT INTO reconciliations (id, started_at, finished_at, trigger, balanced, problem, reserves, items, oldest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, r.ID, r.StartedAt, r.FinishedAt, r.Trigger, r.Balanced, r.Problem, sums, items, oldest)
	return err
}

// open returns the time of the oldest open item of the last one; nil when it has none.
func (k kept) open(ctx context.Context) (oldest *time.Time, err error) {
	err = k.pool.QueryRow(ctx, "SELECT min(oldest) FROM (SELECT oldest FROM reconciliations WHERE problem = '' ORDER BY id DESC LIMIT 1) AS last").Scan(&oldest)
	return oldest, err
}

// daily reports whether the daily one was made since it was due, and whether the ledger has anything from before that.
func (k kept) daily(ctx context.Context, due time.Time) (done, began bool, err error) {
	err = k.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM reconciliations WHERE problem = '' AND trigger = 'DAILY' AND started_at >= $1),
		coalesce((SELECT recorded_at < $1 FROM events ORDER BY pos LIMIT 1), false)`, due).Scan(&done, &began)
	return done, began, err
}
