package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
)

// Close saves the balances of all accounts after a partition's last position, signs them, and keeps the statement in
// the checkpoint file, so that a partition can be kept elsewhere and nobody can invent its contents. The caller has
// compared every row of the partition with the sealed tiles: see Partition. It fails with proofs.ErrInconsistent if the
// saved balances of the partition before are not the signed ones.
func Close(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, file string, p history.Partition, now time.Time) error {
	kept, err := proofs.ReadFile(file, keys.Verifiers())
	if err != nil {
		return err
	}
	last := p.To - 1
	if slices.ContainsFunc(kept.Closings, func(c proofs.Closing) bool { return c.Pos == last }) {
		return nil // It was closed before, and attached again.
	}
	balances := map[string]money.Kobo{}
	if p.From > 1 {
		if balances, err = closingBefore(ctx, pool, kept, p.From-1); err != nil {
			return err
		}
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := history.ScanChunks(ctx, conn.Conn(), p.Name, math.MinInt64, math.MaxInt64, func(c history.Chunk) error {
		rows, err := c.Rows()
		for i := range rows {
			for _, line := range rows[i].Lines {
				balances[strings.Clone(line.Account)] = line.Balance
			}
		}
		return err
	}); err != nil {
		return err
	}
	digest, rows := proofs.NewClosingDigest(), make([][]any, 0, len(balances))
	for _, account := range slices.Sorted(maps.Keys(balances)) {
		digest.Add(account, int64(balances[account]))
		rows = append(rows, []any{last, account, int64(balances[account])})
	}
	closing := proofs.Closing{Pos: last, At: now.UTC().Truncate(time.Second)}
	closing.Accounts, closing.Digest = digest.Sum()
	if closing, err = proofs.SignClosing(keys, closing); err != nil {
		return err
	}
	// The rows come first: a statement without them would be a permanent violation.
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var n int64
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM ledger_closings WHERE pos = $1", last).Scan(&n); err != nil || n > 0 {
			return err
		}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"ledger_closings"}, []string{"pos", "account", "balance"}, pgx.CopyFromRows(rows))
		return err
	}); err != nil {
		return fmt.Errorf("the closing balances of %s: %w", p.Name, err)
	}
	if err := proofs.AddStatement(file, closing.Note, keys.Verifiers()); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "INSERT INTO ledger_closed (pos, statement) VALUES ($1, $2) ON CONFLICT (pos) DO NOTHING", last, closing.Note)
	return err
}

// closingBefore are the signed closing balances after a position.
func closingBefore(ctx context.Context, pool *pgxpool.Pool, kept proofs.Kept, pos int64) (map[string]money.Kobo, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	balances, wrong, err := readClosing(ctx, conn.Conn(), kept, pos)
	if err == nil && wrong != nil {
		err = fmt.Errorf("%w: %w", proofs.ErrInconsistent, wrong)
	}
	return balances, err
}

var errNoClosing = errors.New("what the accounts held then was not signed: attach the partition, and detach it with this build")

// readClosing reads the closing balances after a position. wrong says why they differ from the signed ones.
func readClosing(ctx context.Context, conn *pgx.Conn, kept proofs.Kept, pos int64) (balances map[string]money.Kobo, wrong, err error) {
	i := slices.IndexFunc(kept.Closings, func(c proofs.Closing) bool { return c.Pos == pos })
	if i < 0 {
		return nil, errNoClosing, nil
	}
	rows, err := conn.Query(ctx, "SELECT account, balance FROM ledger_closings WHERE pos = $1 ORDER BY account", pos)
	if err != nil {
		return nil, nil, err
	}
	balances, digest := map[string]money.Kobo{}, proofs.NewClosingDigest()
	var (
		account string
		kobo    money.Kobo
	)
	if _, err := pgx.ForEachRow(rows, []any{&account, &kobo}, func() error {
		balances[account] = kobo
		digest.Add(account, int64(kobo))
		return nil
	}); err != nil {
		return nil, nil, err
	}
	if n, sum := digest.Sum(); n != kept.Closings[i].Accounts || sum != kept.Closings[i].Digest {
		return balances, errors.New("the closing balances are not those that were signed: one of them was changed, added or removed"), nil
	}
	return balances, nil, nil
}
