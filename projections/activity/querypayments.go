package activity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

// Payment is a payment through a gateway.
type Payment struct {
	ID, User, Status      string
	Channel               nairav1.Channel
	Amount, Charge        money.Kobo
	CreatedAt, ExpiresAt  time.Time
	PaidAt                *time.Time
	GroupID, SubAccountID string
	MonthID               int32
	Reason                string
}

const paymentColumns = "payment_id, user_id, status, channel, kobo, charge_kobo, created_at, expires_at, paid_at, group_id, sub_account_id, month_id, reason"

// PaymentOf reads one payment; ErrNone when there is none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, id string) (Payment, error) {
	rows, err := pool.Query(ctx, "SELECT "+paymentColumns+" FROM rm_payments WHERE payment_id = $1", id)
	if err != nil {
		return Payment{}, err
	}
	return one(pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Payment]))
}

// OpenPayments reads a member's payments that are neither confirmed nor ended, newest first.
func OpenPayments(ctx context.Context, pool *pgxpool.Pool, userID string, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') AND user_id = $1 ORDER BY created_at DESC LIMIT $2`, userID, limit))
}

// AnyOpenPayments reads some open payments of all members. It draws them at random, so that each gets its turn, however
// many there are and however long the others stay open.
func AnyOpenPayments(ctx context.Context, pool *pgxpool.Pool, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') ORDER BY random() LIMIT $1`, limit))
}

func collect(rows pgx.Rows, err error) ([]Payment, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}

// PaymentsLike reads a member's payments of an amount, begun between two moments, that did not arrive, newest first.
func PaymentsLike(ctx context.Context, pool *pgxpool.Pool, userID string, amount money.Kobo, from, to time.Time, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE user_id = $1 AND kobo = $2 AND created_at >= $3 AND created_at < $4 AND status NOT IN ('CONFIRMED', 'REVERSED') ORDER BY created_at DESC LIMIT $5`,
		userID, amount, from, to, limit))
}
