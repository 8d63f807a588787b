package holding

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Hold is an open hold.
type Hold struct {
	ID, Account string
	Remaining   money.Kobo
	Purpose     string
	ExpiresAt   time.Time
}

// Expired reads the holds that had expired at a moment, the oldest first.
func Expired(ctx context.Context, pool *pgxpool.Pool, at time.Time, limit int) ([]Hold, error) {
	rows, err := pool.Query(ctx, "SELECT hold_id, account, kobo, purpose, expires_at FROM rm_holds WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2", at, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Hold])
}
