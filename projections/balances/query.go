package balances

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Balances are a member's money in kobo.
type Balances struct {
	Wallet  money.Kobo // Money to spend.
	Held    money.Kobo // The part of the wallet that is held.
	Savings money.Kobo // Paid into group savings, less the amounts paid back to them or held for it.
	Ajo     money.Kobo // Their money in pots, deposits and cards.
}

// Of reads a member's balances. A member who never had money has zeros.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string) (Balances, error) {
	var b Balances
	err := pool.QueryRow(ctx, `SELECT coalesce((SELECT kobo FROM rm_wallets WHERE user_id = $1), 0), coalesce((SELECT held FROM rm_wallets WHERE user_id = $1), 0),
		coalesce((SELECT sum(kobo - drawn)::bigint FROM rm_savings WHERE user_id = $1), 0),
		coalesce((SELECT kobo FROM rm_ajo_balances WHERE user_id = $1), 0)`, userID).Scan(&b.Wallet, &b.Held, &b.Savings, &b.Ajo)
	return b, err
}
