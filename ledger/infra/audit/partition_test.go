package audit_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
)

func (b *book) partition(n int) history.Partition {
	b.Helper()
	all, err := history.Partitions(context.Background(), b.pool)
	require.NoError(b, err)
	return all[n]
}

// proves checks that positions can be proven, and that attached ones have receipts.
func (b *book) proves(leaves map[int64]tlog.Hash, attachedFrom int64) {
	b.Helper()
	ctx := context.Background()
	reader := proofs.NewReader(b.pool, b.keys)
	latest, err := reader.Latest(ctx)
	require.NoError(b, err)
	for pos, leaf := range leaves {
		proof, err := reader.Inclusion(ctx, pos, latest.Size)
		require.NoError(b, err)
		require.NoError(b, tlog.CheckRecord(proof, latest.Size, latest.Root, pos-1, leaf))
		receipt, err := reader.Receipt(ctx, pos)
		if pos < attachedFrom {
			var archived *history.ArchivedError
			require.ErrorAs(b, err, &archived)
			continue
		}
		require.NoError(b, err)
		raw, err := receipt.Encode()
		require.NoError(b, err)
		_, err = proofs.VerifyReceipt(raw, b.keys.Verifiers())
		require.NoError(b, err)
	}
}

func TestProofsHoldBeforeADetachWhileDetachedAndAfterTheAttach(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	records, err := history.Read(ctx, b.pool, 0, 1000)
	require.NoError(t, err)
	leaves := map[int64]tlog.Hash{}
	for _, pos := range []int64{1, 55, 100, 101, 256, b.head()} {
		leaves[pos] = records[pos-1].Leaf()
	}
	b.proves(leaves, 1)
	require.NoError(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000001", nil))
	b.proves(leaves, 101)
	require.NoError(t, audit.Partition(ctx, b.pool, b.keys, b.partition(0), nil))
	require.NoError(t, store.Attach(ctx, b.pool, "events_000001"))
	b.proves(leaves, 1)
	require.Empty(t, all(b.verify()))
}

func TestARowThatWasAlteredWhileDetachedIsRefusedWithItsPosition(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	require.NoError(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000001", nil))
	for _, c := range []struct{ sql, says string }{
		{"UPDATE events_000001 SET actor = actor || 'x' WHERE pos = 77", "position 77 was changed"},
		{"UPDATE events_000001 SET leaf = sha256('x') WHERE pos = 66", "stored at position 66 was changed"},
		{"UPDATE events_000001 SET command_hash = command_hash || '\\x00' WHERE pos = 55", "position 55"},
		{"DELETE FROM events_000001 WHERE pos = 44", "no event at position 44"},
		{"DELETE FROM events_000001 WHERE pos = 1", "no event at position 1"},
	} {
		b.tamper(c.sql)
		err := audit.Partition(ctx, b.pool, b.keys, b.partition(0), nil)
		require.ErrorIs(t, err, audit.ErrPartition)
		require.ErrorContains(t, err, c.says)
	}
	b.tamper("DELETE FROM events_000001 WHERE pos > 0")
	require.ErrorContains(t, audit.Partition(ctx, b.pool, b.keys, b.partition(0), nil), "no event at position 1")
}

func TestAPartitionIsHeldAgainstTheSignedRootNotAgainstItsTilesAlone(t *testing.T) {
	t.Parallel()
	b := kept(t)
	require.NoError(t, store.Detach(context.Background(), b.pool, ledger.Aggregates(), "events_000001", nil))
	b.tamper("UPDATE events_000001 SET actor = 'mallory' WHERE pos = 77")
	leaf := b.leafOf("events_000001", 77)
	b.tamper("UPDATE events_000001 SET leaf = $1 WHERE pos = 77", leaf[:])
	b.tamper("UPDATE ledger_tiles SET hashes = overlay(hashes PLACING $1 FROM 76 * 32 + 1 FOR 32) WHERE level = 0 AND n = 0", leaf[:])
	require.Error(t, audit.Partition(context.Background(), b.pool, b.keys, b.partition(0), nil))
}

// leafOf is the current leaf of a row.
func (b *book) leafOf(table string, pos int64) (leaf [32]byte) {
	b.Helper()
	conn, err := b.pool.Acquire(context.Background())
	require.NoError(b, err)
	defer conn.Release()
	require.NoError(b, history.ScanChunks(context.Background(), conn.Conn(), table, pos, pos, func(c history.Chunk) error {
		rows, err := c.Rows()
		if len(rows) > 0 {
			leaf = rows[0].Record.Leaf()
		}
		return err
	}))
	return leaf
}
