// Package standing is the read model of standing orders: where each stands, and what its days came to.
package standing

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Name is the model's name.
const Name = "standing"

// The statuses.
const (
	Active = "ACTIVE"
	Paused = "PAUSED"
	Ended  = "ENDED"
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_standing", "rm_standing_days"}, Fold: fold,
		Ignores: event.Others(
			&nairav1.StandingOrderSet{}, &nairav1.StandingOrderPaused{}, &nairav1.StandingOrderResumed{}, &nairav1.StandingOrderEnded{},
			&nairav1.StandingOrderRan{}, &nairav1.StandingOrderMissed{},
		),
		Schema: `
			CREATE TABLE rm_standing (
				order_id text PRIMARY KEY, user_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, kobo bigint NOT NULL,
				frequency integer NOT NULL, status text NOT NULL, next_day text NOT NULL, set_at timestamptz NOT NULL, reason text NOT NULL);
			CREATE TABLE rm_standing_days (order_id text NOT NULL, pos bigint NOT NULL, day text NOT NULL, movement uuid, reason text NOT NULL)`,
		Indexes: `
			CREATE INDEX ON rm_standing (user_id);
			CREATE INDEX ON rm_standing (next_day) WHERE status = 'ACTIVE';
			ALTER TABLE rm_standing_days ADD PRIMARY KEY (order_id, pos)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	var changes engine.Changes
	batch := &pgx.Batch{}
	for _, e := range events {
		if user := take(batch, e); user != "" {
			changes.User(user, "wallet")
		}
	}
	if batch.Len() == 0 {
		return changes, nil
	}
	return changes, tx.SendBatch(ctx, batch).Close()
}

// take queues what an event does and answers whose order it is about; nobody's when it is about none.
func take(batch *pgx.Batch, e engine.Event) string {
	become := func(order, status, next, reason string) {
		batch.Queue("UPDATE rm_standing SET status = $2, next_day = $3, reason = $4 WHERE order_id = $1", order, status, next, reason)
	}
	came := func(order, day, next string, movement *uuid.UUID, reason string) {
		batch.Queue("INSERT INTO rm_standing_days VALUES ($1, $2, $3, $4, $5)", order, e.Pos, day, (*[16]byte)(movement), reason)
		batch.Queue("UPDATE rm_standing SET next_day = $2 WHERE order_id = $1", order, next)
	}
	switch m := e.Message.(type) {
	case *nairav1.StandingOrderSet:
		batch.Queue("INSERT INTO rm_standing VALUES ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7, $8, '')", m.GetOrderId(), m.GetUserId(), m.GetGroupId(),
			m.GetSubAccountId(), m.GetAmountKobo(), int32(m.GetFrequency()), m.GetFirstDay(), e.EffectiveAt)
		return m.GetUserId()
	case *nairav1.StandingOrderPaused:
		become(m.GetOrderId(), Paused, "", "")
		return m.GetUserId()
	case *nairav1.StandingOrderResumed:
		become(m.GetOrderId(), Active, m.GetNextDay(), "")
		return m.GetUserId()
	case *nairav1.StandingOrderEnded:
		become(m.GetOrderId(), Ended, "", m.GetReason())
		return m.GetUserId()
	case *nairav1.StandingOrderRan:
		// The contribution is the event before it, of the same command.
		contribution := event.Record{Command: e.Command, Seq: e.Seq - 1}
		id := contribution.ID()
		came(m.GetOrderId(), m.GetDay(), m.GetNextDay(), &id, "")
		return m.GetUserId()
	case *nairav1.StandingOrderMissed:
		came(m.GetOrderId(), m.GetDay(), m.GetNextDay(), nil, m.GetReason())
		return m.GetUserId()
	}
	return ""
}

// Order is one order.
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

// OfUser reads a member's orders: running ones by their next day, then paused, then ended ones, newest first.
func OfUser(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Order, error) {
	return collect(pool.Query(ctx, "SELECT "+columns+` FROM rm_standing o WHERE o.user_id = $1
		ORDER BY array_position(ARRAY['ACTIVE', 'PAUSED', 'ENDED'], o.status), o.next_day, o.set_at DESC, o.order_id`, userID))
}

// Due reads some of everybody's orders whose next day has come, without those in a list. They are drawn by lot, so that
// each one's turn comes.
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

// Day is what one of an order's days came to.
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
