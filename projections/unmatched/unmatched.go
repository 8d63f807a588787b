// Package unmatched is the read model of money that arrived and fitted no payment: whose it may be, and whose it became.
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

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
)

// Name is the model's name.
const Name = "unmatched"

// The statuses.
const (
	Open     = "OPEN"
	Proposed = "PROPOSED"
	Assigned = "ASSIGNED"
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_unmatched"}, Fold: fold,
		Ignores: event.Others(&nairav1.UnmatchedMoneyReceived{}, &nairav1.UnmatchedProposed{}, &nairav1.UnmatchedDeclined{}, &nairav1.UnmatchedAssigned{}),
		Schema: `CREATE TABLE rm_unmatched (
			provider_ref text PRIMARY KEY, id uuid NOT NULL, pos bigint NOT NULL, status text NOT NULL, channel integer NOT NULL, kobo bigint NOT NULL,
			reference text NOT NULL, reason text NOT NULL, paid_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
			user_id text NOT NULL, proposed_by text NOT NULL, proposal_reason text NOT NULL, proposed_at timestamptz, approved_by text NOT NULL)`,
		Indexes: `ALTER TABLE rm_unmatched ADD UNIQUE (id); CREATE INDEX ON rm_unmatched (pos); CREATE INDEX ON rm_unmatched (status, pos)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		switch m := e.Message.(type) {
		case *nairav1.UnmatchedMoneyReceived:
			batch.Queue(`INSERT INTO rm_unmatched VALUES ($1, $2, $3, 'OPEN', $4, $5, $6, $7, $8, $9, '', '', '', NULL, '')`, m.GetProviderRef(), [16]byte(e.ID()), e.Pos,
				int32(m.GetChannel()), m.GetAmountKobo(), m.GetReference(), m.GetReason(), m.GetPaidAt().AsTime(), e.RecordedAt)
		case *nairav1.UnmatchedProposed:
			batch.Queue(`UPDATE rm_unmatched SET status = 'PROPOSED', user_id = $2, proposed_by = $3, proposal_reason = $4, proposed_at = $5 WHERE provider_ref = $1`,
				m.GetProviderRef(), m.GetUserId(), m.GetProposedBy(), m.GetReason(), e.RecordedAt)
		case *nairav1.UnmatchedDeclined:
			batch.Queue(`UPDATE rm_unmatched SET status = 'OPEN', user_id = '', proposed_by = '', proposal_reason = '', proposed_at = NULL WHERE provider_ref = $1`, m.GetProviderRef())
		case *nairav1.UnmatchedAssigned:
			batch.Queue(`UPDATE rm_unmatched SET status = 'ASSIGNED', approved_by = $2 WHERE provider_ref = $1`, m.GetProviderRef(), m.GetApprovedBy())
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
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
}

const columns = "provider_ref, id, pos, status, channel, kobo, reference, reason, paid_at, recorded_at, user_id, proposed_by, proposal_reason, proposed_at, approved_by"

// Page reads arrivals of a status, of those that are not assigned when it is empty, recorded after a position, oldest first.
func Page(ctx context.Context, pool *pgxpool.Pool, status string, after int64, limit int) ([]Arrival, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+` FROM rm_unmatched
		WHERE (status = $1 OR $1 = '' AND status <> 'ASSIGNED') AND pos > $2 ORDER BY pos LIMIT $3`, status, after, limit)
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
func OfReference(ctx context.Context, pool *pgxpool.Pool, providerRef string) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE provider_ref = $1", providerRef))
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

// Waiting counts and sums what nobody has got yet.
func Waiting(ctx context.Context, pool *pgxpool.Pool) (count int, sum money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo), 0)::bigint FROM rm_unmatched WHERE status <> 'ASSIGNED'").Scan(&count, &sum)
	return count, sum, err
}
