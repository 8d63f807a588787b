package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/boot"
)

// soundLedger holds the ledger's invariants over every record.
func soundLedger(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ctx := context.Background()
	records, err := history.Read(ctx, pool, 0, 1_000_000)
	require.NoError(t, err)
	_, head, err := history.Head(ctx, pool)
	require.NoError(t, err)
	require.EqualValues(t, len(records), head)
	versions, sums := map[string]int64{}, map[string]money.Kobo{}
	rows, err := pool.Query(ctx, "SELECT leaf FROM events ORDER BY pos")
	require.NoError(t, err)
	leaves, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(t, err)
	for n, r := range records {
		require.EqualValues(t, n+1, r.Pos, "a gap")
		versions[r.Stream]++
		require.Equal(t, versions[r.Stream], r.Version, r.Stream)
		var sum money.Kobo
		for _, line := range r.Lines {
			sum += line.Amount
			sums[line.Account] += line.Amount
			require.Equal(t, sums[line.Account], line.Balance, "position %d", r.Pos)
			require.False(t, posting.Floored(line.Account) && line.Balance < 0, "%s at %d", line.Account, r.Pos)
		}
		require.Zero(t, sum)
		leaf := r.Leaf()
		require.Equal(t, leaf[:], leaves[n])
		_, err := r.Message()
		require.NoError(t, err)
	}
	_, err = pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	rows, err = pool.Query(ctx, "SELECT account, balance FROM ledger_accounts")
	require.NoError(t, err)
	var (
		account string
		balance money.Kobo
		seen    int
	)
	_, err = pgx.ForEachRow(rows, []any{&account, &balance}, func() error {
		require.Equal(t, sums[account], balance, account)
		seen++
		return nil
	})
	require.NoError(t, err)
	require.Len(t, sums, seen)
}

// streamEqualsStore holds that message p of JetStream is event p, byte for byte.
func streamEqualsStore(t *testing.T, i *boot.Instance) {
	t.Helper()
	ctx := context.Background()
	records, err := history.Read(ctx, i.Pool, 0, 1_000_000)
	require.NoError(t, err)
	var stream jetstream.Stream
	require.Eventually(t, func() bool {
		if stream, err = i.JS.Stream(ctx, relay.StreamName(1)); err != nil {
			return false
		}
		info, err := stream.Info(ctx)
		return err == nil && info.State.LastSeq >= uint64(len(records))
	}, time.Minute, 10*time.Millisecond)
	info, err := stream.Info(ctx)
	require.NoError(t, err)
	require.EqualValues(t, len(records), info.State.LastSeq)
	require.EqualValues(t, len(records), info.State.Msgs)
	for _, r := range records {
		message, err := stream.GetMsg(ctx, uint64(r.Pos))
		require.NoError(t, err)
		require.Equal(t, r.Encode(), message.Data, "position %d", r.Pos)
	}
}

// mayBeEmpty are tables of what does not happen in every world of these tests. The projections' own tests fill them.
var mayBeEmpty = []string{
	"rm_payouts", "rm_bank_payouts", "rm_holds", "rm_standing", "rm_standing_days", "rm_unmatched", "rm_requests", "rm_request_steps", "rm_notified_requests", "rm_absences", "rm_waivers", "rm_group_documents", "rm_notified_ajos", "rm_notified_pots",
	"rm_disputes", "rm_dispute_steps", "rm_frozen", "rm_disputed_money", "rm_notified_covers", "rm_notified_collectors", "rm_months", "rm_rechecks", "rm_debts", "rm_locked_cards", "rm_send_backs", "rm_past_members",
}

// followed waits until the read models have heard of all that is recorded by now.
func followed(t testing.TB, i *boot.Instance) {
	t.Helper()
	ctx := context.Background()
	_, head, err := history.Head(ctx, i.Pool)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		var least int64
		return i.Pool.QueryRow(ctx, "SELECT min(pos) FROM projections WHERE paused = ''").Scan(&least) == nil && least >= head
	}, time.Minute, 10*time.Millisecond)
}

// modelsEqualFreshFold holds that every read model equals a fold from nothing in another schema, both ways.
func modelsEqualFreshFold(t *testing.T, i *boot.Instance) {
	t.Helper()
	ctx := context.Background()
	_, err := i.Pool.Exec(ctx, "CREATE SCHEMA fresh")
	require.NoError(t, err)
	config := i.Pool.Config()
	config.ConnConfig.RuntimeParams["search_path"] = "fresh"
	config.MaxConns = 4
	fresh, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	t.Cleanup(fresh.Close)
	e := engine.New(engine.Options{
		Clock: time.Now,
		Pool:  fresh, Models: projections.All(),
		Source: history.Source(i.Pool),
		Head:   history.Heads(i.Pool),
	})
	require.NoError(t, e.Prepare(ctx))
	require.NoError(t, e.CatchUp(ctx))
	followed(t, i)
	for _, m := range projections.All() {
		for _, table := range m.Tables {
			var rows, missing, extra int
			require.NoError(t, i.Pool.QueryRow(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM fresh.%[1]s),
				(SELECT count(*) FROM (TABLE fresh.%[1]s EXCEPT ALL TABLE public.%[1]s) x),
				(SELECT count(*) FROM (TABLE public.%[1]s EXCEPT ALL TABLE fresh.%[1]s) x)`, table)).Scan(&rows, &missing, &extra))
			require.True(t, rows > 0 || slices.Contains(mayBeEmpty, table) || strings.HasPrefix(table, "rm_ajo"), table)
			require.Zero(t, missing, "%s lacks rows", table)
			require.Zero(t, extra, "%s has rows too many", table)
		}
	}
}
