package payments

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// kept stores the data of a payment that is not in the ledger: its payment instructions, and the payer's choice for a
// card.
type kept struct{ pool *pgxpool.Pool }

func (s *Service) kept() kept { return kept{s.Pool} }

// instructed reports whether a payment's instructions are stored.
func (k kept) instructed(ctx context.Context, id string) (is bool, err error) {
	err = k.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM payment_instructions WHERE payment_id = $1)", id).Scan(&is)
	return is, err
}

// instruct stores a payment's instructions; instructions that are already stored stay.
func (k kept) instruct(ctx context.Context, id string, to rails.Instructions, mac []byte) error {
	_, err := k.pool.Exec(ctx, `INSERT INTO payment_instructions (payment_id, account_number, account_name, bank_name, checkout_url, mac)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (payment_id) DO NOTHING`, id, to.AccountNumber, to.AccountName, to.BankName, to.CheckoutURL, mac)
	return err
}

// instructions returns a payment's instructions, with their proof; found is false when no gateway was asked.
func (k kept) instructions(ctx context.Context, id string) (to rails.Instructions, mac []byte, found bool, err error) {
	err = k.pool.QueryRow(ctx, "SELECT account_number, account_name, bank_name, checkout_url, mac FROM payment_instructions WHERE payment_id = $1", id).
		Scan(&to.AccountNumber, &to.AccountName, &to.BankName, &to.CheckoutURL, &mac)
	if errors.Is(err, pgx.ErrNoRows) {
		return to, nil, false, nil
	}
	return to, mac, true, err
}

// keep records that the payer agreed to save the card.
func (k kept) keep(ctx context.Context, id string) error {
	_, err := k.pool.Exec(ctx, `INSERT INTO payment_cards (payment_id, keep) VALUES ($1, true)
		ON CONFLICT (payment_id) DO UPDATE SET keep = true`, id)
	return err
}

// choice returns the payer's choice for a card payment.
func (k kept) choice(ctx context.Context, id string) (keep, charged bool, err error) {
	err = k.pool.QueryRow(ctx, "SELECT keep, charged_at IS NOT NULL FROM payment_cards WHERE payment_id = $1", id).Scan(&keep, &charged)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return keep, charged, err
}

// charge records that a saved card is charged now, in the session of the call; first is false when it was charged
// before.
func (k kept) charge(ctx context.Context, id string, now time.Time) (first bool, err error) {
	err = usecase.InSession(ctx, k.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO payment_cards AS c (payment_id, keep, charged_at) VALUES ($1, false, $2)
			ON CONFLICT (payment_id) DO UPDATE SET charged_at = excluded.charged_at WHERE c.charged_at IS NULL`, id, now)
		first = tag.RowsAffected() > 0
		return err
	})
	return first && err == nil, err
}

// uncharge records that a saved card was not charged after all.
func (k kept) uncharge(ctx context.Context, id string) error {
	_, err := k.pool.Exec(ctx, "UPDATE payment_cards SET charged_at = NULL WHERE payment_id = $1", id)
	return err
}
