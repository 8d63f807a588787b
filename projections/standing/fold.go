package standing

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{}
	for _, e := range events {
		table.Take(f, e)
	}
	if f.batch.Len() == 0 {
		return f.changes, nil
	}
	return f.changes, tx.SendBatch(ctx, &f.batch).Close()
}

// folding collects the effects of a batch of events.
type folding struct {
	batch   pgx.Batch
	changes engine.Changes
}

// became writes an order's new status.
func (f *folding) became(order, status, next, reason string) {
	f.batch.Queue("UPDATE rm_standing SET status = $2, next_day = $3, reason = $4 WHERE order_id = $1", order, status, next, reason)
}

// came writes the outcome of an order's day.
func (f *folding) came(e engine.Event, order, day, next string, movement *uuid.UUID, reason string) {
	f.batch.Queue("INSERT INTO rm_standing_days (order_id, pos, day, movement, reason) VALUES ($1, $2, $3, $4, $5)", order, e.Pos, day, (*[16]byte)(movement), reason)
	f.batch.Queue("UPDATE rm_standing SET next_day = $2 WHERE order_id = $1", order, next)
}

var table = engine.Handlers(
	engine.On(func(f *folding, e engine.Event, m *nairav1.StandingOrderSet) {
		f.batch.Queue("INSERT INTO rm_standing (order_id, user_id, group_id, sub_account_id, kobo, frequency, status, next_day, set_at, reason) VALUES ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7, $8, '')", m.GetOrderId(), m.GetUserId(), m.GetGroupId(),
			m.GetSubAccountId(), m.GetAmountKobo(), int32(m.GetFrequency()), m.GetFirstDay(), e.EffectiveAt)
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderPaused) {
		f.became(m.GetOrderId(), Paused, "", "")
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderResumed) {
		f.became(m.GetOrderId(), Active, m.GetNextDay(), "")
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderEnded) {
		f.became(m.GetOrderId(), Ended, "", m.GetReason())
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.StandingOrderRan) {
		// The contribution is the event before it, of the same command.
		contribution := event.Record{Command: e.Command, Seq: e.Seq - 1}
		id := contribution.ID()
		f.came(e, m.GetOrderId(), m.GetDay(), m.GetNextDay(), &id, "")
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.StandingOrderMissed) {
		f.came(e, m.GetOrderId(), m.GetDay(), m.GetNextDay(), nil, m.GetReason())
		f.changes.User(m.GetUserId(), "wallet")
	}),
)
