package unmatched

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Arrival is money that fitted no payment.
type Arrival struct {
	ProviderRef                      string
	ID                               uuid.UUID
	Pos                              int64
	Status                           string
	Provider                         event.Provider
	Channel                          nairav1.Channel // How its payer sent it.
	Amount                           money.Kobo
	Reference, Reason                string
	PaidAt, RecordedAt               time.Time
	User, ProposedBy, ProposalReason string // The member that it is proposed for, or went to.
	ProposedAt                       *time.Time
	ApprovedBy                       string
	Payment                          string   // That it turned out to be.
	Payout                           string   // That it is, or is proposed to be, the return of.
	Back                             string   // The latest try to send it back; see Backs.
	Claims                           []string // The disputes in which members say that it is theirs, open or over.
}

const columns = "provider_ref, id, pos, status, provider, channel, kobo, reference, reason, paid_at, recorded_at, user_id, proposed_by, proposal_reason, proposed_at, approved_by, payment_id, payout_id, back_id, claims"

// Page reads arrivals of a status, of those that wait for somebody when it is empty, recorded after a position, oldest
// first.
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

// Named reads the arrival that a bank knows by a name.
func Named(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, providerRef string) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE provider = $1 AND provider_ref = $2", string(provider), providerRef))
}

// AssignedAt reads the arrival that became its member's at a position.
func AssignedAt(ctx context.Context, pool *pgxpool.Pool, pos int64) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE assigned_pos = $1", pos))
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

// Like reads money of nobody yet, of an amount, that was paid between two moments, oldest first.
func Like(ctx context.Context, pool *pgxpool.Pool, amount money.Kobo, from, to time.Time, limit int) ([]Arrival, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE status = 'OPEN' AND kobo = $1 AND paid_at >= $2 AND paid_at < $3 ORDER BY pos LIMIT $4", amount, from, to, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Arrival])
}
