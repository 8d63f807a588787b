package balances

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Balances are a member's money in kobo.
type Balances struct {
	Wallet  money.Kobo // What they can spend.
	Held    money.Kobo // What of their wallet is set aside.
	Savings money.Kobo // What they have put into group savings, less what was paid back to them or is held for it.
	Ajo     money.Kobo // What stands in pots, deposits and cards of theirs.
}

// Of reads a member's balances. Somebody who never had money has zeros.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string) (Balances, error) {
	var b Balances
	err := pool.QueryRow(ctx, `SELECT coalesce((SELECT kobo FROM rm_wallets WHERE user_id = $1), 0), coalesce((SELECT held FROM rm_wallets WHERE user_id = $1), 0),
		coalesce((SELECT sum(kobo - drawn)::bigint FROM rm_savings WHERE user_id = $1), 0),
		coalesce((SELECT kobo FROM rm_ajo_balances WHERE user_id = $1), 0)`, userID).Scan(&b.Wallet, &b.Held, &b.Savings, &b.Ajo)
	return b, err
}
