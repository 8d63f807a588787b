package holding

import (
	"context"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

var table = engine.Handlers(
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.HoldPlaced) {
		batch.Queue("INSERT INTO rm_holds (hold_id, account, kobo, purpose, expires_at) VALUES ($1, $2, $3, $4, $5)",
			m.GetHoldId(), m.GetAccount(), m.GetAmountKobo(), m.GetPurpose(), m.GetExpiresAt().AsTime())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.HoldCaptured) {
		left(batch, m.GetHoldId(), m.GetRemainingKobo())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.HoldReleased) {
		left(batch, m.GetHoldId(), m.GetRemainingKobo())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.HoldExpired) { left(batch, m.GetHoldId(), 0) }),
)

// left writes the remaining amount of a hold.
func left(batch *pgx.Batch, hold string, remaining int64) {
	if remaining == 0 {
		batch.Queue("DELETE FROM rm_holds WHERE hold_id = $1", hold)
	} else {
		batch.Queue("UPDATE rm_holds SET kobo = $2 WHERE hold_id = $1", hold, remaining)
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		table.Take(batch, e)
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}
