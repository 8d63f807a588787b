package payouts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Payout is a withdrawal in its current state.
type Payout struct {
	ID, User                   string
	Pos                        int64
	EventID                    uuid.UUID // Of its request, which is the movement.
	Status                     string
	Amount, Fee, VAT, Duty     money.Kobo
	FeeTable                   int32
	Provider                   event.Provider
	RequestedAt                time.Time
	SentAt, PaidAt, EndedAt    *time.Time
	SentPos, PaidPos, EndedPos int64
	ProviderRef, Reason        string
}

// Net is the amount that arrives.
func (p Payout) Net() money.Kobo { return p.Amount - p.Charges() }

// Charges are its costs, out of the amount.
func (p Payout) Charges() money.Kobo { return p.Fee + p.VAT + p.Duty }

const columns = `SELECT withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, provider, requested_at, sent_at, paid_at, ended_at,
	sent_pos, paid_pos, ended_pos, provider_ref, reason FROM rm_payouts `

func read(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) ([]Payout, error) {
	rows, err := pool.Query(ctx, columns+sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Payout, err error) {
		err = row.Scan(&p.ID, &p.User, &p.Pos, &p.EventID, &p.Status, &p.Amount, &p.Fee, &p.VAT, &p.Duty, &p.FeeTable, &p.Provider, &p.RequestedAt,
			&p.SentAt, &p.PaidAt, &p.EndedAt, &p.SentPos, &p.PaidPos, &p.EndedPos, &p.ProviderRef, &p.Reason)
		return p, err
	})
}

// ErrNone is returned for a withdrawal that does not exist or is another reader's.
var ErrNone = errors.New("payouts: no such withdrawal")

// Page reads a member's withdrawals before a position (0: from the newest), newest first.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int) ([]Payout, error) {
	return read(ctx, pool, `WHERE user_id = $1 AND ($2 = 0 OR pos < $2) ORDER BY pos DESC LIMIT $3`, userID, before, limit)
}

// One reads a withdrawal of any user.
func One(ctx context.Context, pool *pgxpool.Pool, id string) (Payout, error) {
	found, err := read(ctx, pool, `WHERE withdrawal_id = $1`, id)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Payout{}, err
	}
	return found[0], nil
}

// Standing reads withdrawals in a status after a position, the oldest first.
func Standing(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, status string) ([]Payout, error) {
	return read(ctx, pool, `WHERE status IN ('REQUESTED', 'SENT') AND status = $3 AND pos > $1 ORDER BY pos LIMIT $2`, after, limit, status)
}

// Of reads withdrawals of a member in a status, the oldest first.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string, limit int, status string) ([]Payout, error) {
	return read(ctx, pool, `WHERE user_id = $1 AND status = $3 ORDER BY pos LIMIT $2`, userID, limit, status)
}

// Open reads withdrawals without a known outcome, after a position, the oldest first.
func Open(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Payout, error) {
	return read(ctx, pool, `WHERE status IN ('REQUESTED', 'SENT') AND pos > $1 ORDER BY pos LIMIT $2`, after, limit)
}

// InTransit is the number of withdrawals in transit, and the sum that is to arrive.
func InTransit(ctx context.Context, pool *pgxpool.Pool) (count int, net money.Kobo, err error) {
	err = pool.QueryRow(ctx, `SELECT count(*), coalesce(sum(kobo - fee - vat - duty), 0)::bigint FROM rm_payouts WHERE status IN ('REQUESTED', 'SENT')`).Scan(&count, &net)
	return count, net, err
}
