package ajoaccess

import (
	"context"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

var table = engine.Handlers(
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.AjoAccessAsked) {
		batch.Queue("INSERT INTO rm_ajo_asks (user_id, ask_id, pos, kobo, asked_at, has_access) VALUES ($1, $2, $3, $4, $5, $6)",
			m.GetUserId(), m.GetAskId(), e.Pos, m.GetSalaryKobo(), e.EffectiveAt, m.GetHasAccess())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.AjoAccessGranted) { end(batch, m) }),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.AjoAccessRefused) { end(batch, m) }),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.AjoAccessWithdrawn) { end(batch, m) }),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.AjoAccessLost) { end(batch, m) }),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.AccountClosed) { end(batch, m) }),
)

// end removes a user's request from the queue, if they have one.
func end(batch *pgx.Batch, m interface{ GetUserId() string }) {
	batch.Queue("DELETE FROM rm_ajo_asks WHERE user_id = $1", m.GetUserId())
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		table.Take(batch, e)
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{Desks: []string{engine.FinanceDesk}}, tx.SendBatch(ctx, batch).Close()
}
