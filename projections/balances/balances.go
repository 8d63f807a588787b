// Package balances is the read model of what each wallet holds and what each member has saved.
package balances

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
)

// Name is the model's name.
const Name = "balances"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 5, Tables: []string{"rm_wallets", "rm_savings"}, Fold: fold,
		Schema: `
			CREATE TABLE rm_wallets (user_id text PRIMARY KEY, kobo bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
			CREATE TABLE rm_savings (
				user_id text NOT NULL, sub_account_id text NOT NULL, group_id text NOT NULL, kobo bigint NOT NULL, drawn bigint NOT NULL DEFAULT 0,
				PRIMARY KEY (user_id, sub_account_id)) WITH (fillfactor = 70)`,
	}
}

// saving keys a member's savings in a sub-account.
type saving struct{ user, sub, group string }

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	var (
		changes engine.Changes
		wallets = map[string]int64{}
		held    = map[string]int64{}
		savings = map[saving]int64{}
	)
	for _, e := range events {
		for _, line := range e.Lines {
			if user, ok := strings.CutPrefix(line.Account, "wallet:"); ok {
				wallets[user] = int64(line.Balance)
				changes.User(user, "wallet")
			} else if user, ok := strings.CutPrefix(line.Account, "held:wallet:"); ok {
				held[user] = int64(line.Balance)
				changes.User(user, "wallet")
			}
		}
		switch m := e.Message.(type) {
		case *nairav1.ContributionReceived:
			savings[saving{m.GetUserId(), m.GetSubAccountId(), m.GetGroupId()}] = m.GetMemberTotalKobo()
		case *nairav1.ContributionCovered:
			savings[saving{m.GetUserId(), m.GetSubAccountId(), m.GetGroupId()}] = m.GetMemberTotalKobo()
			changes.User(m.GetUserId(), "wallet") // Their savings grew out of another's wallet.
		case *nairav1.SavingsClosed:
			savings[saving{m.GetUserId(), m.GetSubAccountId(), m.GetGroupId()}] = 0
			changes.User(m.GetUserId(), "wallet")
		case *nairav1.ContributionReversed:
			savings[saving{m.GetUserId(), m.GetSubAccountId(), m.GetGroupId()}] = m.GetMemberTotalKobo()
		}
	}
	batch := &engine.Batch{}
	queue(batch, "kobo", wallets)
	queue(batch, "held", held)
	if len(savings) > 0 {
		var users, subs, groups []string
		var kobo []int64
		for s, amount := range savings {
			users, subs, groups, kobo = append(users, s.user), append(subs, s.sub), append(groups, s.group), append(kobo, amount)
		}
		const all = "unnest($1::text[], $2::text[], $3::text[], $4::bigint[])"
		batch.Upsert(len(users), "UPDATE rm_savings s SET kobo = n.kobo FROM "+all+` AS n (user_id, sub_account_id, group_id, kobo)
			WHERE s.user_id = n.user_id AND s.sub_account_id = n.sub_account_id`,
			"INSERT INTO rm_savings (user_id, sub_account_id, group_id, kobo) SELECT * FROM "+all+" ON CONFLICT (user_id, sub_account_id) DO UPDATE SET kobo = excluded.kobo",
			users, subs, groups, kobo)
	}
	takeDrawn(&batch.Batch, &changes, events)
	return changes, batch.Send(ctx, tx)
}

// queue sets one of a wallet's figures.
func queue(batch *engine.Batch, column string, figures map[string]int64) {
	if len(figures) == 0 {
		return
	}
	users, kobo := make([]string, 0, len(figures)), make([]int64, 0, len(figures))
	for user, amount := range figures {
		users, kobo = append(users, user), append(kobo, amount)
	}
	batch.Upsert(len(users), "UPDATE rm_wallets w SET "+column+" = n.kobo FROM unnest($1::text[], $2::bigint[]) AS n (user_id, kobo) WHERE w.user_id = n.user_id",
		"INSERT INTO rm_wallets (user_id, "+column+`) SELECT * FROM unnest($1::text[], $2::bigint[])
		ON CONFLICT (user_id) DO UPDATE SET `+column+" = excluded."+column, users, kobo)
}

// Balances are a member's money in kobo.
type Balances struct {
	Wallet  money.Kobo // What they can spend.
	Held    money.Kobo // What of their wallet is set aside.
	Savings money.Kobo // What they have put into group savings, less what was paid back to them or is held for it.
}

// Of reads a member's balances. Somebody who never had money has zeros.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string) (Balances, error) {
	var b Balances
	err := pool.QueryRow(ctx, `SELECT coalesce((SELECT kobo FROM rm_wallets WHERE user_id = $1), 0), coalesce((SELECT held FROM rm_wallets WHERE user_id = $1), 0),
		coalesce((SELECT sum(kobo - drawn)::bigint FROM rm_savings WHERE user_id = $1), 0)`, userID).Scan(&b.Wallet, &b.Held, &b.Savings)
	return b, err
}
