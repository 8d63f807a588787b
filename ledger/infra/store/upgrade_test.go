package store_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestALedgerOfTheFirstVersionGoesOnInPartitions(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), setup(t)
	b.group("bisi", "chidi")
	b.fund("bisi", 1000*money.Naira)
	paid := command(uuid.New(), contribute("bisi", money.Naira))
	first, err := b.store.Append(ctx, paid)
	require.NoError(t, err)
	poor := command(uuid.New(), contribute("chidi", money.Naira))
	_, refusal := b.store.Append(ctx, poor)
	require.True(t, fault.Is(refusal, fault.Insufficient))

	_, err = b.backend().Settle(ctx)
	require.NoError(t, err)

	// The same ledger, in the tables of the first version.
	old := ledgertest.Pool(t)
	raw, err := os.ReadFile("migrations/00001_ledger.sql")
	require.NoError(t, err)
	require.NoError(t, migrate.Up(ctx, old, fstest.MapFS{"00001_ledger.sql": {Data: raw}}, "goose_ledger"))
	var from string
	require.NoError(t, b.pool.QueryRow(ctx, "SELECT current_schema()").Scan(&from))
	for _, copied := range []string{
		"INSERT INTO events (" + eventColumns + ") SELECT " + eventColumns + " FROM %s.events ORDER BY pos",
		"INSERT INTO ledger_accounts (account, balance, floored) SELECT account, balance, account NOT LIKE 'bank:%%' FROM %s.ledger_accounts",
		"INSERT INTO refusals SELECT command, command_hash, code, message, field, recorded_at FROM %s.refusals",
		"UPDATE ledger_head h SET pos = f.pos, recorded_at = f.recorded_at FROM %s.ledger_head f",
	} {
		_, err := old.Exec(ctx, fmt.Sprintf(copied, from))
		require.NoError(t, err)
	}

	require.NoError(t, store.Migrate(ctx, old))
	upgraded := &bench{T: t, ground: onPostgres{t, old}, pool: old}
	upgraded.store = upgraded.open()
	s := upgraded.store
	again, err := s.Append(ctx, paid)
	require.NoError(t, err)
	require.True(t, again.Repeated)
	require.Equal(t, first.Records, again.Records)
	_, err = s.Append(ctx, poor)
	require.EqualError(t, err, refusal.Error())
	upgraded.do(contribute("bisi", money.Naira))
	upgraded.sound()
	head := b.head()
	require.Equal(t, []history.Partition{
		{Name: "events_000001", From: 1, To: head + 1, Attached: true, Present: true},
		{Name: "events_000002", From: head + 1, To: head + 1 + store.DefaultPartition, Attached: true, Present: true},
	}, upgraded.partitions())
	var byName, byHash int
	require.NoError(t, old.QueryRow(ctx, `SELECT count(*) FILTER (WHERE indexdef LIKE '%(stream, version)'), count(*) FILTER (WHERE indexdef LIKE 'CREATE UNIQUE%hashtextextended%')
		FROM pg_indexes WHERE schemaname = current_schema() AND tablename LIKE 'events_0%'`).Scan(&byName, &byHash))
	require.Zero(t, byName)
	require.Equal(t, 2, byHash, "of the partition that was there before, and of the new one")
	_, err = old.Exec(ctx, "TRUNCATE events_000001")
	require.ErrorContains(t, err, "never changed or removed")
}

const eventColumns = "pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances, leaf"
