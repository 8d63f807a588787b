package proofs_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// book is a ledger of made-up leaves, the only columns that the tree reads, so that thousands cost nothing.
type book struct {
	testing.TB
	pool *pgxpool.Pool
	keys proofs.Keys
	file string
	all  memory
}

func setup(t testing.TB) *book {
	t.Helper()
	b := &book{TB: t, pool: ledgertest.Pool(t), keys: keys(t), file: filepath.Join(t.TempDir(), "checkpoints")}
	b.exec(`CREATE TABLE events (pos bigint PRIMARY KEY, leaf bytea NOT NULL)`)
	b.exec(`CREATE TABLE ledger_head (epoch integer NOT NULL, pos bigint NOT NULL)`)
	b.exec(`INSERT INTO ledger_head VALUES (1, 0)`)
	b.exec(`CREATE TABLE ledger_epochs (epoch integer, statement text)`)
	b.exec(`CREATE TABLE ledger_closed (pos bigint, statement text)`)
	require.NoError(t, proofs.Migrate(context.Background(), b.pool))
	return b
}

func newKey(t testing.TB) proofs.Key {
	t.Helper()
	private, _, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	key, err := proofs.ParseKey(private)
	require.NoError(t, err)
	return key
}

func publicOf(t testing.TB, key proofs.Key) proofs.Key {
	t.Helper()
	public, err := proofs.ParseKey(key.Public())
	require.NoError(t, err)
	return public
}

func keys(t testing.TB, retired ...proofs.Key) proofs.Keys {
	t.Helper()
	all, err := proofs.NewKeys(newKey(t), retired...)
	require.NoError(t, err)
	return all
}

func (b *book) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.pool.Exec(context.Background(), sql, args...)
	require.NoError(b, err)
}

// behindTheTriggers runs SQL as a superuser who turns the triggers off.
func (b *book) behindTheTriggers(sql string, args ...any) {
	b.Helper()
	require.NoError(b, pgx.BeginFunc(context.Background(), b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(context.Background(), "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
		tag, err := tx.Exec(context.Background(), sql, args...)
		require.Positive(b, tag.RowsAffected(), "nothing was tampered with")
		return err
	}))
}

// leafOf is the made-up leaf of a position.
func leafOf(pos int64) tlog.Hash {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte("leaf"), uint64(pos)))
}

// record adds n leaves to the ledger.
func (b *book) record(n int64) {
	b.Helper()
	from := b.all.size()
	for i := range n {
		b.all.append(b, leafOf(from+i+1))
	}
	_, err := b.pool.CopyFrom(context.Background(), pgx.Identifier{"events"}, []string{"pos", "leaf"}, pgx.CopyFromSlice(int(n), func(i int) ([]any, error) {
		leaf := leafOf(from + int64(i) + 1)
		return []any{from + int64(i) + 1, leaf[:]}, nil
	}))
	require.NoError(b, err)
	b.exec("UPDATE ledger_head SET pos = $1", from+n)
}

func (b *book) sealer() *proofs.Sealer {
	b.Helper()
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file})
	require.NoError(b, err)
	return s
}

func (b *book) seal() proofs.Checkpoint {
	b.Helper()
	c, err := b.sealer().Seal(context.Background())
	require.NoError(b, err)
	return c
}

// refuses checks that the sealer signs nothing, at the first try and at the second.
func (b *book) refuses(says string) {
	b.Helper()
	s, before := b.sealer(), b.count("ledger_checkpoints")
	for range 2 {
		_, err := s.Seal(context.Background())
		require.ErrorIs(b, err, proofs.ErrInconsistent)
		require.ErrorContains(b, err, says)
	}
	require.Equal(b, before, b.count("ledger_checkpoints"))
}

func (b *book) count(table string) (n int) {
	b.Helper()
	require.NoError(b, b.pool.QueryRow(context.Background(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

func (b *book) reader() *proofs.Reader { return proofs.NewReader(b.pool, b.keys) }

// memory is the reference: tlog's own plain storage, every hash in a slice.
type memory struct {
	hashes []tlog.Hash
	leaves int64
}

func (m *memory) size() int64 { return m.leaves }

func (m *memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		out[i] = m.hashes[index]
	}
	return out, nil
}

func (m *memory) append(t testing.TB, leaf tlog.Hash) {
	more, err := tlog.StoredHashesForRecordHash(m.leaves, leaf, m)
	require.NoError(t, err)
	m.hashes = append(m.hashes, more...)
	m.leaves++
}

func (m *memory) root(t require.TestingT, size int64) tlog.Hash {
	root, err := tlog.TreeHash(size, m)
	require.NoError(t, err)
	return root
}

func TestProofsAreThoseOfThePlainTreeAtAnySize(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := context.Background()
	for _, n := range []int64{1, 1, 5, 249, 1, 255, 1000, 8192, 56_000, 3000} { // Across full tiles of two levels.
		b.record(n)
		sealed := b.seal()
		require.Equal(t, b.all.size(), sealed.Size)
		require.Equal(t, b.all.root(t, sealed.Size), sealed.Root)
	}
	require.Greater(t, b.all.size(), int64(1<<16))
	r := b.reader()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.Int64Range(1, 600), rapid.Int64Range(1, b.all.size())).Draw(t, "size")
		root, err := r.Root(ctx, size)
		require.NoError(t, err)
		require.Equal(t, b.all.root(t, size), root)

		pos := rapid.Int64Range(1, size).Draw(t, "pos")
		inclusion, err := r.Inclusion(ctx, pos, size)
		require.NoError(t, err)
		want, err := tlog.ProveRecord(size, pos-1, &b.all)
		require.NoError(t, err)
		require.Equal(t, want, inclusion)
		require.NoError(t, tlog.CheckRecord(inclusion, size, root, pos-1, leafOf(pos)))
		require.Error(t, tlog.CheckRecord(inclusion, size, root, pos-1, leafOf(pos+1)))

		old := rapid.Int64Range(1, size).Draw(t, "old")
		consistency, err := r.Consistency(ctx, old, size)
		require.NoError(t, err)
		wantTree, err := tlog.ProveTree(size, old, &b.all)
		require.NoError(t, err)
		require.Equal(t, wantTree, consistency)
		require.NoError(t, tlog.CheckTree(consistency, size, root, old, b.all.root(t, old)))
	})
}

func TestATreeHasTheRootOfThePlainTreeAtEverySize(t *testing.T) {
	t.Parallel()
	var plain memory
	var tree proofs.Tree
	for pos := int64(1); pos <= 1<<16+300; pos++ {
		plain.append(t, leafOf(pos))
		tree.Append(leafOf(pos))
		if pos < 600 || pos%997 == 0 || pos >= 1<<16-1 {
			root, err := tree.Root()
			require.NoError(t, err)
			require.Equal(t, plain.root(t, pos), root, "size %d", pos)
		}
	}
	require.Equal(t, plain.size(), tree.Size())
	empty, err := new(proofs.Tree).Root()
	require.NoError(t, err)
	require.Equal(t, tlog.Hash(sha256.Sum256(nil)), empty)
}

func TestAnEmptyLedgerHasNothingToSeal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.sealer().Seal(context.Background())
	require.ErrorIs(t, err, proofs.ErrNone)
	_, err = b.reader().Latest(context.Background())
	require.ErrorIs(t, err, proofs.ErrNone)
	_, err = b.reader().Consistency(context.Background(), 1, 1)
	require.ErrorIs(t, err, proofs.ErrNotSealed)
	_, err = readFile(b.file, b.keys.Verifiers())
	require.Error(t, err)
}

func TestOnlySealsThatMovedAreSignedAndKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(10)
	first := b.seal()
	require.Equal(t, first, b.seal())
	b.record(1)
	second := b.seal()
	require.Equal(t, 2, b.count("ledger_checkpoints"))
	kept, err := readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Equal(t, []string{first.Note, second.Note}, notes(kept))
	require.Equal(t, "adashi.ng/ledger/e1", second.Origin)
	require.Equal(t, []string{b.keys.Current.ID()}, second.SignedBy)
}

func notes(list []proofs.Checkpoint) (texts []string) {
	for _, c := range list {
		texts = append(texts, c.Note)
	}
	return texts
}

func TestALongBacklogIsSealedInBoundedSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(10_000)
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{Step: 3000})
	require.NoError(t, err)
	sealed, err := s.Seal(context.Background())
	require.NoError(t, err)
	require.Equal(t, b.all.root(t, 10_000), sealed.Root)
	list, err := b.reader().Checkpoints(context.Background(), 0, 10)
	require.NoError(t, err)
	var sizes []int64
	for _, c := range list {
		require.Equal(t, b.all.root(t, c.Size), c.Root)
		sizes = append(sizes, c.Size)
	}
	require.Equal(t, []int64{3000, 6000, 9000, 10_000}, sizes)
	covering, err := b.reader().Covering(context.Background(), 3001)
	require.NoError(t, err)
	require.Equal(t, int64(6000), covering.Size)
	_, err = b.reader().Covering(context.Background(), 10_001)
	require.ErrorIs(t, err, proofs.ErrNotSealed)
}

func TestManySealersAtOnceTakeTurns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var wg sync.WaitGroup
	for range 20 {
		b.record(37)
		for range 4 {
			s := b.sealer()
			wg.Go(func() {
				_, err := s.Seal(context.Background())
				require.NoError(t, err)
			})
		}
	}
	wg.Wait()
	require.Equal(t, b.all.root(t, 740), b.seal().Root)
	kept, err := readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Equal(t, b.seal().Note, kept[len(kept)-1].Note)
}

func TestTheSealerFollowsTheLedgerUntilItIsStopped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file, Every: time.Millisecond})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	for range 3 {
		b.record(300)
		require.Eventually(t, func() bool {
			latest, err := b.reader().Latest(context.Background())
			return err == nil && latest.Size == b.all.size()
		}, time.Minute, time.Millisecond)
	}
	cancel()
	<-ended
	b.record(1)
	latest, err := b.reader().Latest(context.Background())
	require.NoError(t, err)
	require.Equal(t, int64(900), latest.Size)
}

func TestACrashBetweenTilesAndCheckpointLeavesNeither(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(300)
	b.seal()
	b.exec(`CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'crash'; END $$`)
	b.exec(`CREATE TRIGGER crash BEFORE INSERT ON ledger_checkpoints FOR EACH ROW EXECUTE FUNCTION crash()`)
	b.record(500)
	before := b.tiles()
	_, err := b.sealer().Seal(context.Background())
	require.ErrorContains(t, err, "crash")
	require.Equal(t, before, b.tiles())
	b.exec(`DROP TRIGGER crash ON ledger_checkpoints`)
	require.Equal(t, b.all.root(t, 800), b.seal().Root)
}

func TestAStopCutsNoCheckpointOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(10)
	ctx, stop := context.WithCancel(context.Background())
	// The clock is read while a checkpoint is made, before it is in the file.
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file, Step: 5, Clock: func() time.Time { stop(); return time.Now() }})
	require.NoError(t, err)
	_, err = s.Seal(ctx)
	require.ErrorIs(t, err, context.Canceled, "the second step is left to the next start")
	kept, err := proofs.ReadFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Len(t, kept.Checkpoints, 1)
	require.Equal(t, 1, b.count("ledger_checkpoints"))
}

func (b *book) tiles() (all string) {
	b.Helper()
	require.NoError(b, b.pool.QueryRow(context.Background(),
		"SELECT string_agg(level || '/' || n || ' ' || width || ' ' || encode(hashes, 'hex'), E'\n' ORDER BY level, n) FROM ledger_tiles").Scan(&all))
	return all
}

func TestTilesAndCheckpointsAreFinal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(300)
	b.seal()
	for sql, says := range map[string]string{
		"DELETE FROM ledger_tiles":                        "ledger_tiles is never changed",
		"TRUNCATE ledger_tiles":                           "ledger_tiles is never changed",
		"DELETE FROM ledger_checkpoints":                  "ledger_checkpoints is never changed",
		"TRUNCATE ledger_checkpoints":                     "ledger_checkpoints is never changed",
		"UPDATE ledger_checkpoints SET sealed_at = now()": "ledger_checkpoints is never changed",
		"UPDATE ledger_tiles SET width = width":           "only grows",
		"UPDATE ledger_tiles SET n = n + 7, width = width + 1, hashes = hashes || sha256('')":                         "only grows",
		"UPDATE ledger_tiles SET width = width - 1, hashes = substr(hashes, 33) WHERE width > 1":                      "only grows",
		"UPDATE ledger_tiles SET width = width + 1, hashes = sha256('') || hashes WHERE width < 256":                  "only grows",
		"UPDATE ledger_tiles SET width = width + 2, hashes = hashes || sha256('') WHERE width < 254":                  "ledger_tiles_check",
		"INSERT INTO ledger_tiles SELECT level, n + 9, 257, hashes || sha256('') FROM ledger_tiles WHERE width = 256": "width_check",
	} {
		_, err := b.pool.Exec(context.Background(), sql)
		require.ErrorContains(t, err, says, sql)
	}
	b.exec("UPDATE ledger_tiles SET width = width + 1, hashes = hashes || sha256('') WHERE width < 256 AND level = 0")
}

// readFile answers the checkpoints of a file and of the full one before it.
func readFile(path string, verifiers []note.Verifier) ([]proofs.Checkpoint, error) {
	kept, err := proofs.ReadFile(path, verifiers)
	return kept.Checkpoints, err
}

// begin states that an epoch began, and puts the ledger in it.
func (b *book) begin(e proofs.EpochStart) proofs.EpochStart {
	b.Helper()
	e.At, e.Reason = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC), "The backup of 04:00 was restored."
	if e.From > 0 {
		e.Root = b.all.root(b, e.From)
	}
	signed, err := proofs.SignEpochStart(b.keys, e)
	require.NoError(b, err)
	require.NoError(b, proofs.AddStatement(b.file, signed.Note, b.keys.Verifiers()))
	b.exec("UPDATE ledger_head SET epoch = $1", e.Epoch)
	return signed
}
