package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

func (b *bench) conn() *pgx.Conn {
	b.Helper()
	conn, err := b.pool.Acquire(context.Background())
	require.NoError(b, err)
	b.Cleanup(conn.Release)
	return conn.Conn()
}

func TestAScanReadsWhatReadReads(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	b.group("bisi", "chidi")
	b.fund("bisi", 9000*money.Naira)
	for range 100 {
		b.do(contribute("bisi", money.Naira))
	}
	want, err := history.Read(context.Background(), b.pool, 4, 60)
	require.NoError(t, err)
	var got []event.Record
	require.NoError(t, history.Scan(context.Background(), b.conn(), 5, 64, func(batch []event.Record) error {
		got = append(got, batch...)
		return nil
	}))
	require.Equal(t, want, got)
	few, err := history.ReadFew(context.Background(), b.pool, 4, 60)
	require.NoError(t, err)
	require.Equal(t, want, few)
}

func TestAScanOfFactsReadsWhatReadReads(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	b.group("bisi", "chidi")
	b.fund("bisi", 9000*money.Naira)
	for range 300 { // More than a chunk holds.
		b.do(contribute("bisi", money.Naira))
	}
	records, err := history.Read(context.Background(), b.pool, 4, 260)
	require.NoError(t, err)
	var want, got []history.Fact
	for _, r := range records {
		want = append(want, history.Fact{
			Pos: r.Pos, Stream: r.Stream, Version: r.Version, Type: r.Type, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt, Body: r.Body,
		})
	}
	keep := func(batch []history.Fact) error {
		for _, f := range batch {
			f.Stream, f.Type, f.Body = strings.Clone(f.Stream), strings.Clone(f.Type), bytes.Clone(f.Body)
			got = append(got, f)
		}
		return nil
	}
	require.NoError(t, history.ScanFacts(context.Background(), b.conn(), 5, 264, keep))
	require.Equal(t, want, got)
	var archived *history.ArchivedError
	require.ErrorAs(t, history.ScanFacts(context.Background(), b.conn(), 5, 999, keep), &archived)
	require.EqualValues(t, 999, archived.To)
}

func TestAScanNamesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fund("bisi", 9000*money.Naira)
	b.fund("bisi", 9000*money.Naira)
	none := func([]event.Record) error { return nil }
	var archived *history.ArchivedError
	require.ErrorAs(t, history.Scan(context.Background(), b.conn(), 1, 9, none), &archived)
	require.Equal(t, history.ArchivedError{From: 7, To: 9}, *archived)
	_, err := b.pool.Exec(context.Background(), "ALTER TABLE events_000001 DISABLE TRIGGER USER; DELETE FROM events_000001 WHERE pos = 2")
	require.NoError(t, err)
	require.ErrorAs(t, history.Scan(context.Background(), b.conn(), 1, 4, none), &archived)
	require.Equal(t, history.ArchivedError{From: 2, To: 2}, *archived)
}

func TestARowThatTheStoreDidNotWriteIsNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := context.Background()
	for range 3 {
		b.fund("bisi", 9000*money.Naira)
	}
	_, err := b.pool.Exec(ctx, `ALTER TABLE events DROP CONSTRAINT events_lines, DROP CONSTRAINT events_balanced; ALTER TABLE events_000001 DISABLE TRIGGER USER`)
	require.NoError(t, err)
	for pos, change := range map[int]string{8: "command_hash = '\\x01'", 5: "amounts = '{}'", 2: "balances = balances || 1::bigint"} {
		_, err := b.pool.Exec(ctx, fmt.Sprintf("UPDATE events_000001 SET %s WHERE pos = %d", change, pos))
		require.NoError(t, err)
		for name, read := range map[string]func(context.Context, *pgxpool.Pool, int64, int) ([]event.Record, error){"Read": history.Read, "ReadFew": history.ReadFew} {
			_, err := read(ctx, b.pool, int64(pos-1), 1)
			require.ErrorContains(t, err, fmt.Sprintf("position %d", pos), "%s, %s", name, change)
		}
	}
}

func TestAScanEndsWithTheErrorOfWhoReads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fund("bisi", 9000*money.Naira)
	enough := errors.New("enough")
	require.ErrorIs(t, history.Scan(context.Background(), b.conn(), 1, 2, func([]event.Record) error { return enough }), enough)
}
