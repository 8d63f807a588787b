package roles_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func prepared(t *testing.T) *pgxpool.Pool {
	t.Helper()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	require.NoError(t, proofs.Migrate(ctx, pool))
	_, err := pool.Exec(ctx, "CREATE TABLE rm_something (id text PRIMARY KEY)")
	require.NoError(t, err)
	for range 2 { // Every start does it again.
		require.NoError(t, roles.Ensure(ctx, pool, []string{"rm_something", "rm_not_made_yet"}))
	}
	return pool
}

func as(t *testing.T, pool *pgxpool.Pool, role string) *pgxpool.Pool {
	t.Helper()
	p, err := roles.Pool(context.Background(), pool, role, 4)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func start(n string) store.Command {
	c := wallet.StartPayment{PaymentID: n, User: "bisi", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 500 * money.Naira, ExpiresAt: time.Now()}
	return store.Command{ID: uuid.New(), Keyed: true, Actor: "bisi", Command: c}
}

func TestTheAppenderAppendsAndCanDoNothingElse(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), prepared(t)
	appender := as(t, pool, roles.Appender)
	s := store.Open(store.Postgres(appender, 10), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	for range 25 { // Into three partitions.
		_, err := s.Append(ctx, start(uuid.NewString()))
		require.NoError(t, err)
	}
	_, err := s.Append(ctx, store.Command{ID: uuid.New(), Keyed: true, Actor: "bisi", Command: wallet.EndPayment{PaymentID: "none", To: wallet.Failed}})
	require.Error(t, err, "refused, and remembered")
	for _, statement := range []string{
		"UPDATE events SET actor = 'x'", "DELETE FROM events", "TRUNCATE events", "DROP TABLE events", "DROP TABLE events_000001", "DELETE FROM events_000001",
		"UPDATE events_000001 SET actor = 'x'", "INSERT INTO events_000001 SELECT * FROM events LIMIT 1", "ALTER TABLE events DISABLE TRIGGER ALL",
		"ALTER TABLE events DETACH PARTITION events_000001", "SET session_replication_role = replica", "DELETE FROM commands", "UPDATE commands SET pos = 1",
		"DELETE FROM refusals", "UPDATE refusals SET message = 'x'", "DELETE FROM ledger_accounts", "DELETE FROM ledger_gate", "DELETE FROM ledger_settled", "UPDATE ledger_partitions SET to_pos = 1",
		"SELECT ledger_adopt('x', 1, 2)", "UPDATE ledger_tiles SET width = 1", "INSERT INTO ledger_checkpoints (size) VALUES (1)",
	} {
		refused(t, appender, statement)
	}
}

func TestTheAppenderChangesNoSnapshotButItsStreamsNext(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), prepared(t)
	appender := as(t, pool, roles.Appender)
	s := store.Open(store.Postgres(appender, 0), ledger.Aggregates(), store.Options{Freeze: 2})
	t.Cleanup(s.Close)
	alert := func() {
		_, err := s.Append(ctx, store.Command{ID: uuid.New(), Actor: "bisi", Command: account.PasswordTried("bisi")})
		require.NoError(t, err)
	}
	version := func() (version int64) {
		require.NoError(t, pool.QueryRow(ctx, "SELECT version FROM snapshots WHERE stream = 'account:bisi'").Scan(&version))
		return version
	}
	for range 5 {
		alert()
	}
	require.EqualValues(t, 4, version(), "what it appends it writes down")
	another := "INSERT INTO snapshots SELECT stream, fold + %d, %d, state FROM snapshots WHERE stream = 'account:bisi' LIMIT 1"
	for _, statement := range []string{
		"UPDATE snapshots SET state = '{}'", "UPDATE snapshots SET version = 5", "UPDATE snapshots SET version = 6", "UPDATE snapshots SET version = 3", "UPDATE snapshots SET stream = 'account:chidi'",
		"UPDATE snapshots SET fold = 7", "DELETE FROM snapshots", "ALTER TABLE snapshots DISABLE TRIGGER ALL", fmt.Sprintf(another, 1, 4), fmt.Sprintf(another, 1, 6),
		// Events that only look as if they were the ledger's.
		"CREATE TEMP TABLE events AS SELECT * FROM events; UPDATE snapshots SET version = 5",
		"INSERT INTO snapshots VALUES ('account:nobody', 1, 1, '{}')",
	} {
		refused(t, appender, statement)
	}
	alert()
	require.EqualValues(t, 6, version())
	for _, statement := range []string{"UPDATE snapshots SET state = state", fmt.Sprintf(another, 1, 3)} {
		_, err := pool.Exec(ctx, statement)
		require.NoError(t, err, "the owner may: %s", statement)
	}
}

func TestTheRelayReadsAndSealsAndCannotAppend(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), prepared(t)
	s := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	_, err := s.Append(ctx, start("p"))
	require.NoError(t, err)
	relay := as(t, pool, roles.Relay)
	_, err = history.Read(ctx, relay, 0, 10)
	require.NoError(t, err)
	private, _, err := proofs.GenerateKey("roles.example")
	require.NoError(t, err)
	key, err := proofs.ParseKey(private)
	require.NoError(t, err)
	keys, err := proofs.NewKeys(key)
	require.NoError(t, err)
	sealer, err := proofs.NewSealer(relay, keys, proofs.SealerOptions{File: filepath.Join(t.TempDir(), "checkpoints")})
	require.NoError(t, err)
	_, err = sealer.Seal(ctx)
	require.NoError(t, err)
	did, err := history.Part(ctx, relay, 1, history.Parting{Why: "a test", At: time.Now()})
	require.NoError(t, err)
	require.True(t, did)
	_, err = s.Append(ctx, start("q"))
	require.ErrorContains(t, err, "put back to an earlier time")
	for _, statement := range []string{
		"UPDATE ledger_gate SET epoch = 2", "UPDATE ledger_gate SET parted = ''", "INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason) VALUES (2, 0, 0, 'x')",
		"INSERT INTO events SELECT * FROM events", "DELETE FROM events", "UPDATE ledger_accounts SET balance = 0", "UPDATE ledger_settled SET pos = 0", "SELECT ledger_settle()",
		"DELETE FROM ledger_checkpoints", "UPDATE ledger_checkpoints SET note = 'x'", "DELETE FROM ledger_tiles", "SELECT ledger_extend(1, 1)",
	} {
		refused(t, relay, statement)
	}
}

func TestTheProjectorOwnsTheReadModelsAndOnlyReadsTheLedger(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), prepared(t)
	projector := as(t, pool, roles.Projector)
	for _, statement := range []string{
		"INSERT INTO rm_something VALUES ('a')", "ALTER TABLE rm_something ADD COLUMN b text", "DROP TABLE rm_something", "CREATE TABLE rm_another (id text)",
	} {
		_, err := projector.Exec(ctx, statement)
		require.NoError(t, err, statement)
	}
	_, err := history.Read(ctx, projector, 0, 10)
	require.NoError(t, err)
	for _, statement := range []string{"INSERT INTO events SELECT * FROM events", "DELETE FROM events", "UPDATE ledger_gate SET epoch = 0", "SELECT ledger_settle()", "SELECT * FROM ledger_accounts"} {
		refused(t, projector, statement)
	}
}

func refused(t *testing.T, pool *pgxpool.Pool, statement string) {
	t.Helper()
	_, err := pool.Exec(context.Background(), statement)
	var pg *pgconn.PgError
	require.ErrorAs(t, err, &pg, statement)
	require.Equal(t, "42501", pg.Code, "%s: %s", statement, pg.Message)
}
