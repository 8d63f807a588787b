package statements_test

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/statements"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// ledger is a few records in memory.
type ledger []event.Record

func (l *ledger) engine(pool *pgxpool.Pool) *engine.Engine {
	return engine.New(engine.Options{
		Clock: time.Now,
		Pool:  pool, Models: []engine.Model{statements.Model()},
		Source: func(_ context.Context, after int64, span int, _ []string) ([]event.Record, int64, error) {
			through := min(int(after)+span, len(*l))
			return (*l)[after:through], int64(through), nil
		},
		Head: func(context.Context) (int, int64, error) { return 1, int64(len(*l)), nil },
	})
}

var (
	start    = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	accounts = []string{"wallet:ada", "wallet:bisi", "pool:hot", "bank:transfer", "fees:gateway"}
)

// drawn is a ledger of a few days with many back-dated events, by seconds or by weeks; one account is in all of them.
func drawn(t *rapid.T) ledger {
	var l ledger
	recorded, balances := start, map[string]money.Kobo{}
	for n := range rapid.IntRange(1, 40).Draw(t, "events") {
		recorded = recorded.Add(time.Duration(rapid.Int64Range(0, int64(9*time.Hour/time.Microsecond)).Draw(t, "later")) * time.Microsecond)
		if rapid.Bool().Draw(t, "same moment") && n > 0 {
			recorded = l[n-1].RecordedAt
		}
		effective := recorded
		switch rapid.IntRange(0, 3).Draw(t, "when") {
		case 0:
			effective = recorded.Add(-time.Duration(rapid.IntRange(0, 30).Draw(t, "days back")) * 24 * time.Hour)
		case 1:
			effective = recorded.Add(time.Duration(rapid.IntRange(-90_000, 90_000).Draw(t, "seconds")) * time.Second)
		case 2:
			effective = recorded.Truncate(24 * time.Hour) // Midnight exactly.
		}
		r := event.Record{
			Pos: int64(n + 1), Stream: "t:1", Version: int64(n + 1), Type: event.TypeOf(&nairav1.GroupActivated{}), Command: uuid.New(),
			EffectiveAt: effective, RecordedAt: recorded,
		}
		for _, account := range slices.Compact(append([]string{"pool:hot"}, rapid.SliceOfN(rapid.SampledFrom(accounts), 0, 3).Draw(t, "accounts")...)) {
			amount := money.Kobo(rapid.Int64Range(-500_00, 500_00).Draw(t, "kobo"))
			balances[account] += amount
			r.Lines = append(r.Lines, event.Line{Account: account, Amount: amount, Balance: balances[account]})
		}
		l = append(l, r)
	}
	return l
}

// sum is the naive answer: every line of an account in the events that count.
func (l ledger) sum(account string, counts func(event.Record) bool) (kobo money.Kobo) {
	for _, r := range l {
		for _, line := range r.Lines {
			if line.Account == account && counts(r) {
				kobo += line.Amount
			}
		}
	}
	return kobo
}

func TestBalancesAreWhatANaiveSumSaysAsOfEveryPositionAndTime(t *testing.T) {
	t.Parallel()
	pool, ctx := ledgertest.Pool(t), context.Background()
	empty := ledger{}
	require.NoError(t, empty.engine(pool).Prepare(ctx))
	rapid.Check(t, func(t *rapid.T) {
		l := drawn(t)
		_, err := pool.Exec(ctx, "TRUNCATE rm_entries, rm_account_days; UPDATE projections SET pos = 0")
		require.NoError(t, err)
		require.NoError(t, l.engine(pool).CatchUp(ctx))
		head := int64(len(l))
		account := rapid.SampledFrom(append([]string{"wallet:nobody"}, accounts...)).Draw(t, "account")
		for range 5 {
			pos := rapid.Int64Range(0, head+2).Draw(t, "position")
			at, err := statements.AtPosition(ctx, pool, account, pos)
			require.NoError(t, err)
			require.Equal(t, statements.Balance{Kobo: l.sum(account, func(r event.Record) bool { return r.Pos <= pos }), Position: min(pos, head)}, at, "at position %d", pos)

			when := start.Add(time.Duration(rapid.IntRange(-40*24*3600, 20*24*3600).Draw(t, "at")) * time.Second)
			if rapid.Bool().Draw(t, "exactly") {
				r := l[rapid.IntRange(0, len(l)-1).Draw(t, "of")]
				when = rapid.SampledFrom([]time.Time{r.RecordedAt, r.EffectiveAt, r.RecordedAt.Add(-time.Microsecond), r.EffectiveAt.Add(-time.Microsecond)}).Draw(t, "edge")
			}
			recorded, err := statements.AtRecorded(ctx, pool, account, when)
			require.NoError(t, err)
			require.Equal(t, statements.Balance{Kobo: l.sum(account, func(r event.Record) bool { return !r.RecordedAt.After(when) }), Position: head}, recorded, "recorded by %s", when)
			effective, err := statements.AtEffective(ctx, pool, account, when)
			require.NoError(t, err)
			require.Equal(t, statements.Balance{Kobo: l.sum(account, func(r event.Record) bool { return !r.EffectiveAt.After(when) }), Position: head}, effective, "effective at %s", when)
		}
	})
}

func TestEntriesAreInOrderAndBounded(t *testing.T) {
	t.Parallel()
	pool, ctx := ledgertest.Pool(t), context.Background()
	var l ledger
	for n := range 10 {
		l = append(l, event.Record{
			Pos: int64(n + 1), Type: event.TypeOf(&nairav1.GroupActivated{}), EffectiveAt: start, RecordedAt: start.Add(time.Duration(n) * time.Second),
			Lines: []event.Line{{Account: "bank:transfer", Amount: -5, Balance: money.Kobo(-5 * (n + 1))}, {Account: "wallet:ada", Amount: 3, Balance: 0}, {Account: "wallet:ada", Amount: 2, Balance: money.Kobo(5 * (n + 1))}},
		})
	}
	e := l.engine(pool)
	require.NoError(t, e.Prepare(ctx))
	require.NoError(t, e.CatchUp(ctx))
	entries, err := statements.Entries(ctx, pool, "wallet:ada", 3, 4, 100)
	require.NoError(t, err)
	var got []string
	for _, entry := range entries {
		got = append(got, fmt.Sprint(entry.Pos, " ", entry.N, " ", entry.Amount, " ", entry.Balance, " ", entry.RecordedAt.Sub(start)))
	}
	require.Equal(t, []string{"3 1 ₦0.03 ₦0.00 2s", "3 2 ₦0.02 ₦0.15 2s", "4 1 ₦0.03 ₦0.00 3s", "4 2 ₦0.02 ₦0.20 3s"}, got)
	entries, err = statements.Entries(ctx, pool, "wallet:ada", 0, 0, 5)
	require.NoError(t, err)
	require.Len(t, entries, 5)
	entries, err = statements.Entries(ctx, pool, "wallet:nobody", 0, 0, 5)
	require.NoError(t, err)
	require.Empty(t, entries)
}
