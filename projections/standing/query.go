package standing

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

// Order is a standing order.
type Order struct {
	ID, User            string
	GroupID, SubAccount string
	Amount              money.Kobo
	Frequency           nairav1.StandingFrequency
	Status, Next        string // Next is YYYY-MM-DD, and empty unless it is active.
	SetAt               time.Time
	Reason              string
}

const columns = "o.order_id, o.user_id, o.group_id, o.sub_account_id, o.kobo, o.frequency, o.status, o.next_day, o.set_at, o.reason"

// OfUser reads a member's orders: active ones by their next day, then paused, then ended ones, newest first.
func OfUser(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Order, error) {
	return collect(pool.Query(ctx, "SELECT "+columns+` FROM rm_standing o WHERE o.user_id = $1
		ORDER BY array_position(ARRAY['ACTIVE', 'PAUSED', 'ENDED'], o.status), o.next_day, o.set_at DESC, o.order_id`, userID))
}

// Due reads some orders of all members whose next day has come, except those in a list. They are drawn at random, so
// that each gets its turn.
func Due(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Order, error) {
	return collect(pool.Query(ctx, "SELECT "+columns+` FROM rm_standing o WHERE o.status = 'ACTIVE' AND o.next_day <= $1 AND o.order_id <> ALL($2)
		ORDER BY random() LIMIT $3`, today, append([]string{}, without...), limit))
}

func collect(rows pgx.Rows, err error) ([]Order, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Order])
}

// Day is the outcome of one of an order's days.
type Day struct {
	OrderID  string
	Day      string     // YYYY-MM-DD.
	Movement *uuid.UUID // The contribution; nil when it was missed.
	Reason   string     // Why it was missed.
}

// Days reads the last days of orders, newest first, at most limit of each.
func Days(ctx context.Context, pool *pgxpool.Pool, orderIDs []string, limit int) (map[string][]Day, error) {
	rows, err := pool.Query(ctx, `SELECT d.order_id, d.day, d.movement, d.reason FROM unnest($1::text[]) AS o (id)
		CROSS JOIN LATERAL (SELECT * FROM rm_standing_days WHERE order_id = o.id ORDER BY pos DESC LIMIT $2) d`, orderIDs, limit)
	if err != nil {
		return nil, err
	}
	days := map[string][]Day{}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Day])
	for _, d := range list {
		days[d.OrderID] = append(days[d.OrderID], d)
	}
	return days, err
}
