package pgcopy_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func TestWhatIsCopiedIsWhatPostgresReads(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	conn, err := ledgertest.Pool(t).Acquire(ctx)
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(ctx, `CREATE TABLE kinds (big bigint, whole integer, small smallint, yes boolean, words text, raw bytea, id uuid,
		at timestamptz, names text[], sums bigint[], nothing text)`)
	require.NoError(t, err)
	at := time.Date(1999, 12, 31, 23, 59, 59, 123456000, time.UTC)
	rows := pgcopy.New(0)
	for range 2 { // A reset buffer begins again.
		rows.Reset()
		rows.Row(11)
		rows.Bigint(-1 << 63)
		rows.Integer(-7)
		rows.Smallint(-3)
		rows.Boolean(true)
		rows.Text("₦1,000 — ‘quoted’\n")
		rows.Bytes([]byte{0, 1, 255})
		rows.Bytes(bytes.Repeat([]byte{0xab}, 16))
		rows.Timestamptz(at)
		rows.Texts(2, len("wallet:1")+len(""))
		rows.Text("wallet:1")
		rows.Text("")
		rows.Bigints(0)
		rows.Null()
	}
	require.Equal(t, 1, rows.Len())
	tag, err := conn.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(rows.End()), "COPY kinds FROM STDIN (FORMAT binary)")
	require.NoError(t, err)
	require.EqualValues(t, 1, tag.RowsAffected())

	type kinds struct {
		Big     int64
		Whole   int32
		Small   int16
		Yes     bool
		Words   string
		Raw     []byte
		ID      string
		At      time.Time
		Names   []string
		Sums    []int64
		Nothing *string
	}
	found, err := conn.Query(ctx, "SELECT big, whole, small, yes, words, raw, id::text, at, names, sums, nothing FROM kinds")
	require.NoError(t, err)
	got, err := pgx.CollectExactlyOneRow(found, pgx.RowToStructByPos[kinds])
	require.NoError(t, err)
	got.At = got.At.UTC()
	require.Equal(t, kinds{
		-1 << 63, -7, -3, true, "₦1,000 — ‘quoted’\n",
		[]byte{0, 1, 255},
		"abababab-abab-abab-abab-abababababab",
		at,
		[]string{"wallet:1", ""},
		[]int64{},
		nil,
	}, got)
}
