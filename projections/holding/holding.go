// Package holding is the read model of holds that are open: what is set aside, and until when.
package holding

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Name is the model's name.
const Name = "holding"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_holds"}, Fold: fold,
		Ignores: event.Others(&nairav1.HoldPlaced{}, &nairav1.HoldCaptured{}, &nairav1.HoldReleased{}, &nairav1.HoldExpired{}),
		Schema: `CREATE TABLE rm_holds (
			hold_id text PRIMARY KEY, account text NOT NULL, kobo bigint NOT NULL, purpose text NOT NULL, expires_at timestamptz NOT NULL)`,
		Indexes: `CREATE INDEX ON rm_holds (expires_at); CREATE INDEX ON rm_holds (account)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	left := func(hold string, remaining int64) {
		if remaining == 0 {
			batch.Queue("DELETE FROM rm_holds WHERE hold_id = $1", hold)
		} else {
			batch.Queue("UPDATE rm_holds SET kobo = $2 WHERE hold_id = $1", hold, remaining)
		}
	}
	for _, e := range events {
		switch m := e.Message.(type) {
		case *nairav1.HoldPlaced:
			batch.Queue("INSERT INTO rm_holds VALUES ($1, $2, $3, $4, $5)", m.GetHoldId(), m.GetAccount(), m.GetAmountKobo(), m.GetPurpose(), m.GetExpiresAt().AsTime())
		case *nairav1.HoldCaptured:
			left(m.GetHoldId(), m.GetRemainingKobo())
		case *nairav1.HoldReleased:
			left(m.GetHoldId(), m.GetRemainingKobo())
		case *nairav1.HoldExpired:
			left(m.GetHoldId(), 0)
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}

// Hold is an open hold.
type Hold struct {
	ID, Account string
	Remaining   money.Kobo
	Purpose     string
	ExpiresAt   time.Time
}

// Of is all that is held of an account.
func Of(ctx context.Context, pool *pgxpool.Pool, account string) (held money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT coalesce(sum(kobo), 0)::bigint FROM rm_holds WHERE account = $1", account).Scan(&held)
	return held, err
}

// Expired reads the holds whose time was over at a moment, the oldest first.
func Expired(ctx context.Context, pool *pgxpool.Pool, at time.Time, limit int) ([]Hold, error) {
	rows, err := pool.Query(ctx, "SELECT hold_id, account, kobo, purpose, expires_at FROM rm_holds WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2", at, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Hold])
}
