package unmatched

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
)

// sendBackHandlers follow money that is sent back to its source account.
var sendBackHandlers = []engine.Handler[*pgx.Batch]{
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackProposed) {
		batch.Queue(`INSERT INTO rm_send_backs (id, stream, pos, status, kobo, provider, user_id, proposed_by, reason, proposed_at)
			SELECT $1, $2, $3, 'PROPOSED', kobo, $4, $5, $6, $7, $8 FROM rm_unmatched WHERE stream = $2`,
			m.GetSendBackId(), e.Stream, e.Pos, m.GetProvider(), m.GetUserId(), m.GetProposedBy(), m.GetReason(), e.RecordedAt)
		batch.Queue(`UPDATE rm_unmatched SET status = 'PROPOSED', back_id = $2 WHERE stream = $1`, e.Stream, m.GetSendBackId())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackAgreed) {
		batch.Queue(`UPDATE rm_send_backs SET status = 'AGREED', pos = $2, kobo = $3, approved_by = $4, agreed_at = $5 WHERE id = $1`,
			m.GetSendBackId(), e.Pos, m.GetAmountKobo(), m.GetApprovedBy(), e.RecordedAt)
		batch.Queue(`UPDATE rm_unmatched SET status = 'LEAVING' WHERE stream = $1`, e.Stream)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackSent) {
		batch.Queue(`UPDATE rm_send_backs SET status = 'SENT', sent_at = $2 WHERE id = $1`, m.GetSendBackId(), e.RecordedAt)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackPaid) {
		batch.Queue(`UPDATE rm_send_backs SET status = 'PAID', paid_at = $2 WHERE id = $1`, m.GetSendBackId(), m.GetPaidAt().AsTime())
		batch.Queue(`UPDATE rm_unmatched SET status = 'SENT_BACK' WHERE stream = $1`, e.Stream)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackFailed) {
		cameAgain(batch, e, m, BackFailed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackReturned) {
		cameAgain(batch, e, m, BackReturned)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ReturnedPartKept) {
		status := Open
		if m.GetLeftKobo() == 0 {
			status = Returned
		}
		batch.Queue(`UPDATE rm_unmatched SET status = $2, kobo = CASE WHEN $3::bigint > 0 THEN $3::bigint ELSE kobo END WHERE stream = $1`, e.Stream, status, m.GetLeftKobo())
	}),
}

// cameAgain notes money that is in suspense again, less the part that makes good what its bank had reversed.
func cameAgain(batch *pgx.Batch, e engine.Event, m interface {
	GetSendBackId() string
	GetAmountKobo() int64
	GetRecoveredKobo() int64
	GetReason() string
}, status string,
) {
	batch.Queue(`UPDATE rm_send_backs SET status = $2, problem = $3 WHERE id = $1`, m.GetSendBackId(), status, m.GetReason())
	left, stands := m.GetAmountKobo()-m.GetRecoveredKobo(), Open
	if left == 0 {
		stands = Returned
	}
	batch.Queue(`UPDATE rm_unmatched SET status = $2, kobo = CASE WHEN $3::bigint > 0 THEN $3::bigint ELSE kobo END WHERE stream = $1`, e.Stream, stands, left)
}

// SendBack is an attempt to send money back to its source account.
type SendBack struct {
	ID                       string
	Pos                      int64 // The position at which it was agreed, else proposed.
	Status                   string
	Amount                   money.Kobo
	Provider                 event.Provider
	User                     string // The member who owned the money, if known.
	ProposedBy, Reason       string
	ProposedAt               time.Time
	ApprovedBy               string
	AgreedAt, SentAt, PaidAt *time.Time
	Problem                  string // Why it failed or was returned.
}

const backColumns = "SELECT id, pos, status, kobo, provider, user_id, proposed_by, reason, proposed_at, approved_by, agreed_at, sent_at, paid_at, problem FROM rm_send_backs "

// SendBacks reads attempts by their ids.
func SendBacks(ctx context.Context, pool *pgxpool.Pool, ids ...string) (map[string]SendBack, error) {
	all, err := backs(ctx, pool, "WHERE id = ANY($1)", ids)
	found := make(map[string]SendBack, len(all))
	for _, b := range all {
		found[b.ID] = b
	}
	return found, err
}

// SendBacksStanding reads attempts in some states after a position, the oldest first.
func SendBacksStanding(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, statuses ...string) ([]SendBack, error) {
	return backs(ctx, pool, "WHERE status = ANY($1) AND pos > $2 ORDER BY pos LIMIT $3", statuses, after, limit)
}

func backs(ctx context.Context, pool *pgxpool.Pool, where string, args ...any) ([]SendBack, error) {
	rows, err := pool.Query(ctx, backColumns+where, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[SendBack])
}

// InTransit counts and sums the money that is to go back or on its way.
func InTransit(ctx context.Context, pool *pgxpool.Pool) (count int, sum money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo), 0)::bigint FROM rm_send_backs WHERE status IN ('AGREED', 'SENT')").Scan(&count, &sum)
	return count, sum, err
}
