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
	User, ProposedBy, ProposalReason string // The member for whom it is proposed, or who got it.
	ProposedAt                       *time.Time
	ApprovedBy                       string
	Payment                          string   // The payment that it turned out to be.
	Payout                           string   // The payout that it is, or is proposed to be, the return of.
	Back                             string   // The latest try to send it back; see Backs.
	Claims                           []string // The disputes in which members say that it is theirs, open or over.
}

const columns = "provider_ref, id, pos, status, provider, channel, kobo, reference, reason, paid_at, recorded_at, user_id, proposed_by, proposal_reason, proposed_at, approved_by, payment_id, payout_id, back_id, claims"

// Page reads arrivals of a status, or if it is empty those that wait for a decision, recorded after a position, oldest
// first.
func Page(ctx context.Context, pool *pgxpool.Pool, status string, after int64, limit int) ([]Arrival, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+` FROM rm_unmatched
		WHERE (status = $1 OR $1 = '' AND status IN ('OPEN', 'PROPOSED', 'HELD')) AND pos > $2 ORDER BY pos LIMIT $3`, status, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Arrival])
}

// ErrNone is returned for an arrival that does not exist.
var ErrNone = errors.New("unmatched: no such arrival")

// One reads one arrival.
func One(ctx context.Context, pool *pgxpool.Pool, id uuid.UUID) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE id = $1", [16]byte(id)))
}

// Named reads the arrival under a bank's reference.
func Named(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, providerRef string) (Arrival, error) {
	return one(pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE provider = $1 AND provider_ref = $2", string(provider), providerRef))
}

// AssignedAt reads the arrival that was assigned to its member at a position.
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

// Waiting counts the arrivals that wait for a decision, and sums those in suspense.
func Waiting(ctx context.Context, pool *pgxpool.Pool) (count int, sum money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo) FILTER (WHERE status <> 'HELD'), 0)::bigint FROM rm_unmatched WHERE status IN ('OPEN', 'PROPOSED', 'HELD')").Scan(&count, &sum)
	return count, sum, err
}

// Like reads unassigned money of an amount that was paid between two moments, oldest first.
func Like(ctx context.Context, pool *pgxpool.Pool, amount money.Kobo, from, to time.Time, limit int) ([]Arrival, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+" FROM rm_unmatched WHERE status = 'OPEN' AND kobo = $1 AND paid_at >= $2 AND paid_at < $3 ORDER BY pos LIMIT $4", amount, from, to, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Arrival])
}
