// Package unmatched is the read model of money that arrived and fitted no payment: whose it may be, whose it became, and
// which payment it turned out to be; and of money that a person must say of whether we have it already.
package unmatched

import (
	"context"
	"errors"
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
const Name = "unmatched"

// The statuses.
const (
	Open     = "OPEN"
	Proposed = "PROPOSED"
	Assigned = "ASSIGNED"
	Matched  = "MATCHED" // It turned out to be a payment's.
	Held     = "HELD"    // A person must say whether we have it already; it is posted nowhere.
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 2, Tables: []string{"rm_unmatched"}, Fold: fold,
		Ignores: event.Others(
			&nairav1.UnmatchedMoneyReceived{}, &nairav1.UnmatchedProposed{}, &nairav1.UnmatchedDeclined{}, &nairav1.UnmatchedAssigned{},
			&nairav1.UnmatchedMatched{}, &nairav1.ReturnedMoneyParked{}, &nairav1.ArrivalHeld{}, &nairav1.HeldArrivalSettled{},
			&nairav1.ArrivalNamed{}, &nairav1.ArrivalCredited{}, // What is held may be told of in another way yet.
		),
		Schema: `CREATE TABLE rm_unmatched (
			stream text PRIMARY KEY, provider_ref text NOT NULL, id uuid NOT NULL, pos bigint NOT NULL, status text NOT NULL, channel integer NOT NULL, kobo bigint NOT NULL,
			reference text NOT NULL, reason text NOT NULL, paid_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
			user_id text NOT NULL, proposed_by text NOT NULL, proposal_reason text NOT NULL, proposed_at timestamptz, approved_by text NOT NULL, payment_id text NOT NULL)`,
		Indexes: `ALTER TABLE rm_unmatched ADD UNIQUE (id); CREATE INDEX ON rm_unmatched (pos); CREATE INDEX ON rm_unmatched (status, pos); CREATE INDEX ON rm_unmatched (channel, provider_ref)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		switch m := e.Message.(type) {
		case *nairav1.UnmatchedMoneyReceived:
			begin(batch, e, Open, m, m.GetReason(), m.GetPaidAt().AsTime())
		case *nairav1.ArrivalHeld:
			begin(batch, e, Held, m, m.GetReason(), m.GetPaidAt().AsTime())
		case *nairav1.ReturnedMoneyParked:
			begin(batch, e, Open, m, m.GetReason(), e.EffectiveAt)
		case *nairav1.UnmatchedProposed:
			batch.Queue(`UPDATE rm_unmatched SET status = 'PROPOSED', user_id = $2, proposed_by = $3, proposal_reason = $4, proposed_at = $5 WHERE stream = $1`,
				e.Stream, m.GetUserId(), m.GetProposedBy(), m.GetReason(), e.RecordedAt)
		case *nairav1.UnmatchedDeclined:
			end(batch, e, Open, "")
		case *nairav1.UnmatchedAssigned:
			batch.Queue(`UPDATE rm_unmatched SET status = 'ASSIGNED', approved_by = $2 WHERE stream = $1`, e.Stream, m.GetApprovedBy())
		case *nairav1.UnmatchedMatched:
			end(batch, e, Matched, m.GetPaymentId())
		case *nairav1.HeldArrivalSettled:
			end(batch, e, Matched, m.GetPaymentId()) // Where it is no payment's, it is received next.
		case *nairav1.ArrivalCredited:
			end(batch, e, Matched, m.GetPaymentId())
		case *nairav1.ArrivalNamed:
			end(batch, e, Matched, "")
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}

// begin notes money, which may have been held before.
func begin(batch *pgx.Batch, e engine.Event, status string, m interface {
	GetProviderRef() string
	GetChannel() nairav1.Channel
	GetAmountKobo() int64
	GetReference() string
}, reason string, paidAt time.Time,
) {
	batch.Queue(`INSERT INTO rm_unmatched VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', '', '', NULL, '', '')
		ON CONFLICT (stream) DO UPDATE SET status = excluded.status, reference = excluded.reference, reason = excluded.reason`,
		e.Stream, m.GetProviderRef(), [16]byte(e.ID()), e.Pos, status, int32(m.GetChannel()), m.GetAmountKobo(), m.GetReference(), reason, paidAt, e.RecordedAt)
}

// end takes a proposal away, if there is one, and notes where the money stands then.
func end(batch *pgx.Batch, e engine.Event, status, payment string) {
	batch.Queue(`UPDATE rm_unmatched SET status = $2, payment_id = $3, user_id = '', proposed_by = '', proposal_reason = '', proposed_at = NULL WHERE stream = $1`,
		e.Stream, status, payment)
}

// Arrival is money that fitted no payment.
type Arrival struct {
	ProviderRef                      string
	ID                               uuid.UUID
	Pos                              int64
	Status                           string
	Channel                          nairav1.Channel
	Amount                           money.Kobo
	Reference, Reason                string
	PaidAt, RecordedAt               time.Time
	User, ProposedBy, ProposalReason string // The member that it is proposed for, or went to.
	ProposedAt                       *time.Time
	ApprovedBy                       string
	Payment                          string // That it turned out to be.
}

const columns = "provider_ref, id, pos, status, channel, kobo, reference, reason, paid_at, recorded_at, user_id, proposed_by, proposal_reason, proposed_at, approved_by, payment_id"

// Page reads arrivals of a status, of those that wait for somebody when it is empty, recorded after a position, oldest first.
func Page(ctx context.Context, pool *pgxpool.Pool, status string, after int64, limit int) ([]Arrival, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+` FROM rm_unmatched
		WHERE (status = $1 OR $1 = '' AND status IN ('OPEN', 'PROPOSED', 'HELD')) AND pos > $2 ORDER BY pos LIMIT $3`, status, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Arrival])
}

// ErrNone is returned for an arrival that is not there.
var ErrNone = errors.New("unmatched: no such arrival")

// One reads one arrival.
func One(ctx context.Context, pool *pgxpool.Pool, id uuid.UUID) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE id = $1", [16]byte(id)))
}

// OfReference reads one arrival by the gateway's own reference.
func OfReference(ctx context.Context, pool *pgxpool.Pool, channel nairav1.Channel, providerRef string) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE channel = $1 AND provider_ref = $2", int32(channel), providerRef))
}

func one(rows pgx.Rows, err error) (Arrival, error) {
	if err != nil {
		return Arrival{}, err
	}
	a, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Arrival])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNone
	}
	return a, err
}

// Waiting counts what waits for somebody, and sums what of it is in suspense.
func Waiting(ctx context.Context, pool *pgxpool.Pool) (count int, sum money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo) FILTER (WHERE status <> 'HELD'), 0)::bigint FROM rm_unmatched WHERE status IN ('OPEN', 'PROPOSED', 'HELD')").Scan(&count, &sum)
	return count, sum, err
}
