package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func setup(t *testing.T) (*pgxpool.Pool, *store.Store) {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, store.Migrate(t.Context(), pool))
	require.NoError(t, people.Migrate(t.Context(), pool))
	book := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(book.Close)
	return pool, book
}

// opened makes sessions of one account.
func opened(t *testing.T, pool *pgxpool.Pool, count int) (ids []uuid.UUID) {
	t.Helper()
	user := uuid.New()
	_, err := pool.Exec(t.Context(), `INSERT INTO accounts (id, email, password, first_name, last_name, phone, date_of_birth, roles, created_at)
		VALUES ($1::uuid, $1::uuid::text, '', 'Ada', 'Obi', '', '1990-01-01', '{}', now())`, user)
	require.NoError(t, err)
	for range count {
		id := uuid.New()
		_, err := pool.Exec(t.Context(), `INSERT INTO sessions (id, token_hash, secret_hash, user_id, created_at, last_seen_at, expires_at, device)
			VALUES ($1::uuid, sha256($1::uuid::text::bytea), sha256('s'), $2, now(), now(), now() + interval '1 day', '')`, id, user)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

func end(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "DELETE FROM sessions WHERE id = $1", id)
	require.NoError(t, err)
}

// in is a command of a session's.
func in(session uuid.UUID) store.Command {
	return store.Command{
		ID: uuid.New(), Hash: [16]byte{1}, Keyed: true, Actor: "ada", Session: session,
		Command: ledgertest.Happens("paid", &nairav1.PaymentConfirmedV2{PaymentId: uuid.NewString(), UserId: "ada", AmountKobo: 100_00, Channel: nairav1.Channel_CHANNEL_CARD, Provider: string(event.Paystack)}),
	}
}

func TestNothingIsRecordedInASessionThatHasEndedAndItsNeighboursAre(t *testing.T) {
	t.Parallel()
	pool, book := setup(t)
	ids := opened(t, pool, 2)
	_, err := book.Append(t.Context(), in(ids[0]))
	require.NoError(t, err, "the first is decided under the lock")
	end(t, pool, ids[0])
	for range 20 { // Those that come while a batch is in flight are decided ahead of it.
		refused, recorded := in(ids[0]), in(ids[1])
		outcomes := make(chan error, 2)
		go func() { _, err := book.Append(context.Background(), recorded); outcomes <- err }()
		_, err = book.Append(t.Context(), refused)
		require.True(t, fault.Is(err, fault.Unauthenticated), "%v", err)
		require.NoError(t, <-outcomes)
		was, err := book.Recorded(t.Context(), refused.ID)
		require.NoError(t, err)
		require.False(t, was)
		refused.Session = ids[1]
		_, err = book.Append(t.Context(), refused)
		require.NoError(t, err, "the same key, once its owner has logged in again")
	}
	none := in(uuid.Nil)
	_, err = book.Append(t.Context(), none)
	require.NoError(t, err, "what no session asked for")
}

func TestWhatWasRecordedIsAnsweredAgainInAnySession(t *testing.T) {
	t.Parallel()
	pool, book := setup(t)
	ids := opened(t, pool, 1)
	c := in(ids[0])
	_, err := book.Append(t.Context(), c)
	require.NoError(t, err)
	end(t, pool, ids[0])
	again, err := book.Append(t.Context(), c)
	require.NoError(t, err)
	require.True(t, again.Repeated)
}

func TestASessionEndsOnlyAfterWhatHoldsIt(t *testing.T) {
	t.Parallel()
	pool, _ := setup(t)
	id := opened(t, pool, 1)[0]
	ctx := session.With(t.Context(), id.String())
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	require.NoError(t, session.Hold(ctx, tx))
	ended := make(chan struct{})
	go func() { defer close(ended); end(t, pool, id) }()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM sessions%' AND datname = current_database())").Scan(&waits))
		return waits
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, tx.Commit(ctx))
	<-ended
	require.True(t, fault.Is(pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return session.Hold(ctx, tx) }), fault.Unauthenticated))
	session.Acted(ctx)
	require.NoError(t, pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return session.Hold(ctx, tx) }), "what follows from a deed is done to its end")
}

func TestNobodyWaitsForASessionThatIsEndedJustNow(t *testing.T) {
	t.Parallel()
	pool, book := setup(t)
	id := opened(t, pool, 1)[0]
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), "DELETE FROM sessions WHERE id = $1", id)
	require.NoError(t, err)
	_, err = book.Append(t.Context(), in(id))
	require.True(t, fault.Is(err, fault.Unauthenticated), "%v", err)
}

func TestALookAtAMemberLeavesTheSessionHeldForWhatIsDoneThen(t *testing.T) {
	t.Parallel()
	pool, book := setup(t)
	id := opened(t, pool, 1)[0]
	base := usecase.NewBase(usecase.Base{Pool: pool, Ledger: book})
	ctx, who := session.With(t.Context(), id.String()), usecase.Who{User: "sade"}
	record := func(c event.Command) error {
		_, err := base.Record(ctx, who, store.NewCommandID(), "", [16]byte{1}, c)
		return err
	}
	require.NoError(t, record(account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_SET_TIER, Subject: "bisi", Case: "AD-1"}))
	end(t, pool, id)
	require.True(t, fault.Is(record(in(uuid.Nil).Command), fault.Unauthenticated))
}
