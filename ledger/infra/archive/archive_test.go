package archive_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/archive"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// book is a ledger of payments.
type book struct {
	testing.TB
	pool *pgxpool.Pool
	keys proofs.Keys
	file string
}

func empty(t testing.TB) *book {
	t.Helper()
	b := &book{TB: t, pool: ledgertest.Pool(t), file: filepath.Join(t.TempDir(), "checkpoints")}
	require.NoError(t, store.Migrate(context.Background(), b.pool))
	require.NoError(t, proofs.Migrate(context.Background(), b.pool))
	private, _, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	key, err := proofs.ParseKey(private)
	require.NoError(t, err)
	b.keys, err = proofs.NewKeys(key)
	require.NoError(t, err)
	return b
}

// kept is a sealed ledger of n payments, three events each, 1,500 to a command.
func kept(t testing.TB, n int) *book {
	t.Helper()
	b := empty(t)
	b.pay(n)
	b.seal()
	return b
}

func (b *book) pay(n int) {
	b.Helper()
	s := store.Open(store.Postgres(b.pool, 5000), ledger.Aggregates(), store.Options{})
	b.Cleanup(s.Close)
	for n > 0 {
		var bulk store.Bulk
		for range min(n, 500) {
			id := uuid.NewString()
			bulk = append(bulk,
				wallet.StartPayment{PaymentID: id, User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
				wallet.ConfirmPayment{PaymentID: id, User: "bisi", Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: id, PaidAt: time.Now()})
		}
		n -= min(n, 500)
		_, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "tester", Command: bulk})
		require.NoError(b, err)
	}
}

// lives is the life of an ajo; it answers how many events that is.
func (b *book) lives() (events int) {
	b.Helper()
	s := store.Open(store.Postgres(b.pool, 5000), ledger.Aggregates(), store.Options{})
	b.Cleanup(s.Close)
	for _, c := range ledgertest.AjoLife(time.Now()) {
		result, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "tester", Command: c})
		require.NoError(b, err, "%T", c)
		events += len(result.Records)
	}
	return events
}

func (b *book) seal() {
	b.Helper()
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{})
	require.NoError(b, err)
	_, err = s.Seal(context.Background())
	require.NoError(b, err)
}

func (b *book) export(opt archive.ExportOptions) ([]byte, archive.Summary) {
	b.Helper()
	var file bytes.Buffer
	summary, err := archive.Export(context.Background(), b.pool, b.keys, opt, &file)
	require.NoError(b, err)
	return file.Bytes(), summary
}

// dump is all stored events with the rows that follow from them.
func (b *book) dump() string {
	b.Helper()
	var text string
	_, err := b.pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(b, err)
	require.NoError(b, b.pool.QueryRow(context.Background(), `SELECT concat((SELECT jsonb_agg(e ORDER BY pos) FROM events e), (SELECT jsonb_agg(c ORDER BY pos) FROM commands c),
		(SELECT jsonb_agg(a ORDER BY account) FROM ledger_accounts a), (SELECT jsonb_agg(p ORDER BY name) FROM ledger_partitions p),
		(SELECT concat(epoch, pos, recorded_at) FROM ledger_head))`).Scan(&text))
	return text
}

// nothing checks that a ledger is still empty.
func (b *book) nothing() {
	b.Helper()
	var n int64
	require.NoError(b, b.pool.QueryRow(context.Background(), `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM commands) + (SELECT count(*) FROM ledger_accounts)
		+ (SELECT count(*) FROM ledger_partitions) + (SELECT pos FROM ledger_head)`).Scan(&n))
	require.Zero(b, n, "something landed")
}

func (b *book) restore(file []byte, keys proofs.Keys) (archive.Summary, error) {
	return archive.Import(context.Background(), b.pool, archive.ImportOptions{Keys: keys, Partition: 5000}, bytes.NewReader(file))
}

func public(t testing.TB, keys proofs.Keys) proofs.Keys {
	key, err := proofs.ParseKey(keys.Current.Public())
	require.NoError(t, err)
	return proofs.Keys{Current: key}
}

func TestALedgerIsRestoredToTheByte(t *testing.T) {
	t.Parallel()
	from, to := empty(t), empty(t)
	from.pay(8500)
	ajo := from.lives()
	from.seal()
	whole := int64(25500 + ajo)
	file, exported := from.export(archive.ExportOptions{})
	require.EqualValues(t, whole, exported.Count)
	require.Greater(t, exported.Blocks, 2)
	restored, err := to.restore(file, public(t, from.keys))
	require.NoError(t, err)
	require.Equal(t, exported.Root, restored.Root)
	require.EqualValues(t, whole, restored.Signed)
	require.Equal(t, from.dump(), to.dump())

	// It is a ledger like any other: it verifies, seals to the same root, and accepts events.
	to.seal()
	latest, err := proofs.NewReader(to.pool, to.keys).Latest(context.Background())
	require.NoError(t, err)
	require.Equal(t, exported.Root, latest.Root)
	to.pay(1)
	to.seal()
	report, err := audit.Verify(context.Background(), audit.Options{Pool: to.pool, Keys: to.keys, Aggregates: ledger.Aggregates()})
	require.NoError(t, err)
	require.Zero(t, report.Violations())
	_, err = to.restore(file, from.keys)
	require.ErrorIs(t, err, store.ErrNotEmpty)
}

// frames are where the file's frames begin, and where the last one ends.
func frames(file []byte) []int {
	starts := []int{len("adashi archive v1\n")}
	for at := starts[0]; at < len(file); {
		at += 5 + int(binary.BigEndian.Uint32(file[at+1:])) + 32
		starts = append(starts, at)
	}
	return starts
}

func TestAFileThatIsNotWholeLandsNothing(t *testing.T) {
	t.Parallel()
	from, to := kept(t, 8500), empty(t)
	file, _ := from.export(archive.ExportOptions{})
	starts := frames(file)
	require.Len(t, starts, 1+1+4+1, "a header, four blocks, a trailer")
	refused := func(name string, broken []byte, says string) {
		t.Run(name, func(t *testing.T) {
			_, err := to.restore(broken, from.keys)
			require.ErrorIs(t, err, archive.ErrBroken)
			require.ErrorContains(t, err, says)
			to.nothing()
		})
	}
	for i, at := range starts[:len(starts)-1] {
		refused("cut before frame "+string(rune('0'+i)), file[:at], "")
		refused("cut in frame "+string(rune('0'+i)), file[:at+20], "")
	}
	refused("cut after the first block", file[:starts[2]], "block 2, where position 8193 is due: the file ends here")
	refused("cut by one byte", file[:len(file)-1], "cut short")
	refused("nothing", nil, "does not begin")
	refused("garbage at its end", append(bytes.Clone(file), 0), "follows its trailer")
	swapped := append(append(append(bytes.Clone(file[:starts[1]]), file[starts[2]:starts[3]]...), file[starts[1]:starts[2]]...), file[starts[3]:]...)
	refused("blocks in another order", swapped, "block 1, where position 1 is due: it was altered")
	twice := append(append(bytes.Clone(file[:starts[2]]), file[starts[1]:starts[2]]...), file[starts[2]:]...)
	refused("a block twice", twice, "block 2")
	left := append(bytes.Clone(file[:starts[2]]), file[starts[3]:]...)
	refused("a block left out", left, "block 2")

	newer := bytes.Replace(file, []byte("archive v1\n"), []byte("archive v2\n"), 1)
	_, err := to.restore(newer, from.keys)
	require.ErrorIs(t, err, archive.ErrNewer)
	to.nothing()
	_, err = to.restore(file, from.keys)
	require.NoError(t, err)
}

func TestAnyByteThatIsFlippedLandsNothing(t *testing.T) {
	t.Parallel()
	from, to := kept(t, 20), empty(t)
	file, _ := from.export(archive.ExportOptions{})
	rapid.Check(t, func(rt *rapid.T) {
		broken := bytes.Clone(file)
		at := rapid.IntRange(0, len(file)-1).Draw(rt, "at")
		broken[at] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		_, err := to.restore(broken, from.keys)
		if err == nil {
			rt.Fatalf("byte %d may be anything", at)
		}
	})
	to.nothing()
}

func TestAnArchiveThatWasMadeUpIsNotSigned(t *testing.T) {
	t.Parallel()
	from, forged, to := kept(t, 20), kept(t, 20), empty(t)
	file, _ := forged.export(archive.ExportOptions{})
	_, err := to.restore(file, public(t, from.keys))
	require.ErrorIs(t, err, proofs.ErrCheckpoint)
	to.nothing()
}

func TestEventsThatNobodySignedAreTakenOnlyWhenAskedTo(t *testing.T) {
	t.Parallel()
	from, to := kept(t, 20), empty(t)
	from.pay(5)
	file, summary := from.export(archive.ExportOptions{})
	require.EqualValues(t, 75, summary.Count)
	_, err := to.restore(file, from.keys)
	require.ErrorIs(t, err, proofs.ErrNotSealed)
	to.nothing()
	restored, err := archive.Import(context.Background(), to.pool, archive.ImportOptions{Keys: from.keys, Unsigned: true, Partition: 5000}, bytes.NewReader(file))
	require.NoError(t, err)
	require.EqualValues(t, 60, restored.Signed)
	require.Equal(t, from.dump(), to.dump())
}

func TestAPartOfALedgerIsExportedAndCheckedButNotRestored(t *testing.T) {
	t.Parallel()
	from, to := kept(t, 20), empty(t)
	file, summary := from.export(archive.ExportOptions{From: 11, To: 30})
	require.EqualValues(t, 20, summary.Count)
	require.NotEmpty(t, summary.PreviousRoot)
	want, err := proofs.NewReader(from.pool, from.keys).Root(context.Background(), 30)
	require.NoError(t, err)
	require.Equal(t, want, summary.Root)
	_, err = archive.Check(bytes.NewReader(file), archive.ImportOptions{Keys: from.keys, Unsigned: true})
	require.NoError(t, err)
	_, err = archive.Import(context.Background(), to.pool, archive.ImportOptions{Keys: from.keys, Unsigned: true}, bytes.NewReader(file))
	require.ErrorContains(t, err, "begins at position 11")
	_, err = archive.Export(context.Background(), from.pool, from.keys, archive.ExportOptions{From: 11, To: 61}, &bytes.Buffer{})
	require.ErrorContains(t, err, "the ledger ends at 60")
}

func TestEventsThatBreakARuleAreRefusedThoughTheyAreWhole(t *testing.T) {
	t.Parallel()
	from, to := kept(t, 20), empty(t)
	// Although the key's owner can sign anything, the rules still hold.
	require.NoError(t, rewritten(from, func(r *event.Record) {
		if r.Pos == 8 {
			r.Lines[1].Balance += 5
		}
	}))
	file, _ := from.export(archive.ExportOptions{})
	_, err := archive.Import(context.Background(), to.pool, archive.ImportOptions{Keys: from.keys, Unsigned: true}, bytes.NewReader(file))
	require.ErrorContains(t, err, "position 8")
	to.nothing()
}

// rewritten changes the ledger's rows and drops the seals.
func rewritten(b *book, change func(*event.Record)) error {
	ctx := context.Background()
	records, err := history.Read(ctx, b.pool, 0, 1000)
	if err != nil {
		return err
	}
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SET session_replication_role = replica; DELETE FROM ledger_tiles; DELETE FROM ledger_checkpoints"); err != nil {
		return err
	}
	for i := range records {
		change(&records[i])
		balances := []int64{}
		for _, line := range records[i].Lines {
			balances = append(balances, int64(line.Balance))
		}
		leaf := records[i].Leaf()
		if _, err := conn.Exec(ctx, "UPDATE events SET balances = $2, leaf = $3 WHERE pos = $1", records[i].Pos, balances, leaf[:]); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, "SET session_replication_role = origin")
	return err
}
