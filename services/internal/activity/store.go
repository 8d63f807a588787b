package activity

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// issued stores the statements and receipts that we issued, by their codes.
type issued struct{ pool *pgxpool.Pool }

func (s *Service) issued() issued { return issued{s.Pool} }

// statementRow is a statement as it is stored.
type statementRow struct {
	Code             string
	User             string
	From, To         time.Time
	Opening, Closing money.Kobo
	In, Out          money.Kobo
	Movements        int
	Position         int64
	IssuedAt         time.Time
	SHA256           []byte
}

// receiptRow is a receipt as it is stored.
type receiptRow struct {
	Code      string
	User      string
	Movement  uuid.UUID
	Title     string
	Group     string
	Amount    money.Kobo
	Incoming  bool
	At        time.Time
	Reference string
	Position  int64
	IssuedAt  time.Time
	SHA256    []byte
}

// addStatement stores a statement with the requested days.
func (k issued) addStatement(ctx context.Context, from, to string, r statementRow) error {
	_, err := k.pool.Exec(ctx, "INSERT INTO statements_issued VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		r.Code, r.User, from, to, r.Opening, r.Closing, r.In, r.Out, r.Movements, r.Position, r.IssuedAt, r.SHA256)
	return err
}

// addReceipt stores a receipt.
func (k issued) addReceipt(ctx context.Context, r receiptRow) error {
	_, err := k.pool.Exec(ctx, "INSERT INTO receipts_issued VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		r.Code, r.User, r.Movement, r.Title, r.Group, r.Amount, r.Incoming, r.At, r.Reference, r.Position, r.IssuedAt, r.SHA256)
	return err
}

// statement returns the statement of a code; false when there is none.
func (k issued) statement(ctx context.Context, code string) (r statementRow, found bool, err error) {
	err = k.pool.QueryRow(ctx, `SELECT code, user_id, from_day, to_day, opening_kobo, closing_kobo, in_kobo, out_kobo, movements, position, issued_at, sha256
		FROM statements_issued WHERE code = $1`, code).
		Scan(&r.Code, &r.User, &r.From, &r.To, &r.Opening, &r.Closing, &r.In, &r.Out, &r.Movements, &r.Position, &r.IssuedAt, &r.SHA256)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, false, nil
	}
	return r, true, err
}

// receipt returns the receipt of a code; false when there is none.
func (k issued) receipt(ctx context.Context, code string) (r receiptRow, found bool, err error) {
	err = k.pool.QueryRow(ctx, "SELECT code, user_id, movement_id, title, group_name, kobo, incoming, at, reference, position, issued_at, sha256 FROM receipts_issued WHERE code = $1", code).
		Scan(&r.Code, &r.User, &r.Movement, &r.Title, &r.Group, &r.Amount, &r.Incoming, &r.At, &r.Reference, &r.Position, &r.IssuedAt, &r.SHA256)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, false, nil
	}
	return r, true, err
}
