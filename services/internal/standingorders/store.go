package standingorders

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	orders "adashi.ng/projections/standing"
)

// tries is which days of orders were tried with too little money.
type tries struct{ pool *pgxpool.Pool }

func (s *Service) tries() tries { return tries{s.Pool} }

// since are the orders that were tried after a moment.
func (k tries) since(ctx context.Context, moment time.Time) ([]string, error) {
	rows, err := k.pool.Query(ctx, "SELECT order_id FROM standing_tries WHERE tried_at > $1", moment)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// note notes that an order's next day was tried.
func (k tries) note(ctx context.Context, o orders.Order, now time.Time) error {
	_, err := k.pool.Exec(ctx, `INSERT INTO standing_tries VALUES ($1, $2, $3)
		ON CONFLICT (order_id) DO UPDATE SET day = excluded.day, tried_at = excluded.tried_at`, o.ID, o.Next, now)
	return err
}

// was reports whether an order's next day was tried.
func (k tries) was(ctx context.Context, o orders.Order) (tried bool, err error) {
	err = k.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM standing_tries WHERE order_id = $1 AND day = $2)", o.ID, o.Next).Scan(&tried)
	return tried, err
}
