package balances

import (
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// takeDrawn writes what of members' savings was paid back to them, or is held for it.
func takeDrawn(batch *pgx.Batch, changes *engine.Changes, events []engine.Event) {
	for _, e := range events {
		switch m := e.Message.(type) {
		case *nairav1.SavingsDrawn:
			queueDrawn(batch, m, m.GetDrawnKobo())
			changes.User(m.GetUserId(), "wallet")
		case *nairav1.SavingsClosed:
			queueDrawn(batch, m, 0)
		}
	}
}

func queueDrawn(batch *pgx.Batch, m interface {
	GetUserId() string
	GetSubAccountId() string
	GetGroupId() string
}, kobo int64,
) {
	batch.Queue(`INSERT INTO rm_savings (user_id, sub_account_id, group_id, kobo, drawn) VALUES ($1, $2, $3, 0, $4)
		ON CONFLICT (user_id, sub_account_id) DO UPDATE SET drawn = excluded.drawn`, m.GetUserId(), m.GetSubAccountId(), m.GetGroupId(), kobo)
}
