package reserves_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/reserves"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// RESERVES_ACCOUNTS=200000 measures.
func TestAMemberOfManyFindsTheirs(t *testing.T) {
	t.Parallel()
	many, err := strconv.Atoi(os.Getenv("RESERVES_ACCOUNTS"))
	if err != nil {
		many = 3_000
	}
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.Fund(w.Member.User)
	s := w.App.Reserves
	s.Key = []byte("a key of at least thirty-two bytes")
	_, err = w.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	_, err = w.Pool.Exec(ctx, "INSERT INTO ledger_accounts (account, balance) SELECT 'wallet:' || gen_random_uuid(), (random() * 5000000)::bigint FROM generate_series(1, $1)", many)
	require.NoError(t, err)
	var owed int64
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT sum(balance)::bigint FROM ledger_accounts WHERE split_part(account, ':', 1) IN ('wallet', 'pool', 'held')").Scan(&owed))

	began, id := time.Now(), uuid.Must(uuid.NewV7())
	var accounts []liabilities.Account
	require.NoError(t, pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) (err error) {
		accounts, err = reserves.Accounts(ctx, tx)
		return err
	}))
	read := time.Since(began)
	_, err = s.Commit(ctx, id, 1, owed+1, accounts)
	require.True(t, fault.Is(err, fault.Unavailable), "what does not come to what is owed is not committed to: %v", err)
	began = time.Now()
	m, err := s.Commit(ctx, id, 1, owed, accounts)
	require.NoError(t, err)
	t.Logf("%d accounts: read in %v, committed to in %v, %d leaves", len(accounts), read, time.Since(began), m.GetLeaves())
	_, err = s.Mine(ctx, w.Member.User)
	require.True(t, fault.Is(err, fault.NotFound), "nothing is proven before the ledger says the root: %v", err)
	_, err = w.Pool.Exec(ctx, "UPDATE liabilities SET pos = 1")
	require.NoError(t, err)
	began = time.Now()
	proof, err := s.Mine(ctx, w.Member.User)
	require.NoError(t, err)
	t.Logf("proven in %v", time.Since(began))
	require.Equal(t, "wallet:"+w.Member.User, proof.File.Accounts[0].Account)
	var size string
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT pg_size_pretty(pg_total_relation_size('liability_accounts') + pg_total_relation_size('liability_tiles'))").Scan(&size))
	t.Logf("%s are kept", size)

	// Only the latest are kept whole; the roots stay.
	for range 9 {
		_, err := s.Commit(ctx, uuid.Must(uuid.NewV7()), 1, 5, []liabilities.Account{{Name: "wallet:a", Kobo: 5}})
		require.NoError(t, err)
	}
	var roots, whole int
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT (SELECT count(*) FROM liabilities), (SELECT count(DISTINCT id) FROM liability_tiles)").Scan(&roots, &whole))
	require.Equal(t, []int{10, 8}, []int{roots, whole})
	s.Key = []byte("another key")
	_, err = w.Pool.Exec(ctx, "UPDATE liabilities SET pos = 1")
	require.NoError(t, err)
	_, err = s.Mine(ctx, w.Member.User)
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	s.Key = nil
	m, err = s.Commit(ctx, uuid.Must(uuid.NewV7()), 1, owed, accounts)
	require.NoError(t, err)
	require.Nil(t, m, "without a key nothing is committed to")
}
