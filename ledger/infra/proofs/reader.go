package proofs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/tlog"
)

var (
	// ErrNone is returned while the ledger has no checkpoint.
	ErrNone = errors.New("the ledger has no checkpoint yet")
	// ErrNotSealed is returned for an event that no checkpoint covers yet. Events are sealed about every second.
	ErrNotSealed = errors.New("not sealed yet; ask again in a few seconds")
	// ErrRange is returned for positions and sizes that no tree has.
	ErrRange = errors.New("out of range")
)

// Reader answers checkpoints and proofs. It trusts the database only for what the keys signed: it verifies each
// checkpoint and checks each tile against the signed root. It is safe for concurrent use.
type Reader struct {
	pool *pgxpool.Pool
	keys Keys
}

// NewReader makes a reader. Public keys are enough.
func NewReader(pool *pgxpool.Pool, keys Keys) *Reader { return &Reader{pool, keys} }

// Keys are the ledger's keys.
func (r *Reader) Keys() Keys { return r.keys }

const checkpointColumns = "size, epoch, root, note, sealed_at"

// checkpointRow is a checkpoint as it is stored.
type checkpointRow struct {
	size     int64
	epoch    int
	root     []byte
	note     string
	sealedAt time.Time
}

// verify answers the signed checkpoint, if the row agrees with it.
func (row checkpointRow) verify(keys Keys) (Checkpoint, error) {
	c, err := ParseCheckpoint(row.note, keys.Verifiers())
	if err != nil {
		return c, fmt.Errorf("%w: the stored checkpoint of size %d: %w", ErrInconsistent, row.size, err)
	}
	if c.Size != row.size || c.Epoch != row.epoch || !bytes.Equal(c.Root[:], row.root) {
		return c, fmt.Errorf("%w: the stored checkpoint of size %d is not what was signed", ErrInconsistent, row.size)
	}
	c.SealedAt = row.sealedAt.UTC()
	return c, nil
}

// checkpoints answers the verified checkpoints of a query.
func checkpoints(ctx context.Context, db querier, keys Keys, query string, args ...any) ([]Checkpoint, error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("proofs: read checkpoints: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c checkpointRow, err error) {
		return c, row.Scan(&c.size, &c.epoch, &c.root, &c.note, &c.sealedAt)
	})
	if err != nil {
		return nil, fmt.Errorf("proofs: read checkpoints: %w", err)
	}
	list := make([]Checkpoint, len(found))
	for i, row := range found {
		if list[i], err = row.verify(keys); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Epochs are the signed statements that epochs began, oldest first. It leaves out rows whose statement is not signed.
func (r *Reader) Epochs(ctx context.Context) ([]EpochStart, error) {
	rows, err := r.pool.Query(ctx, "SELECT statement FROM ledger_epochs WHERE statement <> '' ORDER BY epoch")
	if err != nil {
		return nil, fmt.Errorf("proofs: the epochs: %w", err)
	}
	signed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("proofs: the epochs: %w", err)
	}
	var all []EpochStart
	for _, text := range signed {
		if e, err := ParseEpochStart(text, r.keys.Verifiers()); err == nil {
			all = append(all, e)
		}
	}
	return all, nil
}

func (r *Reader) one(ctx context.Context, where string, args ...any) (Checkpoint, bool, error) {
	list, err := checkpoints(ctx, r.pool, r.keys, "SELECT "+checkpointColumns+" FROM ledger_checkpoints "+where+" LIMIT 1", args...)
	if err != nil || len(list) == 0 {
		return Checkpoint{}, false, err
	}
	return list[0], true, nil
}

// Latest is the largest checkpoint, or ErrNone.
func (r *Reader) Latest(ctx context.Context) (Checkpoint, error) {
	c, ok, err := r.one(ctx, "ORDER BY size DESC")
	if err == nil && !ok {
		err = ErrNone
	}
	return c, err
}

// UpTo is the largest checkpoint of at most a size; the zero one when there is none.
func (r *Reader) UpTo(ctx context.Context, size int64) (Checkpoint, error) {
	c, _, err := r.one(ctx, "WHERE size <= $1 ORDER BY size DESC", size)
	return c, err
}

// Covering is the smallest checkpoint that covers a position, or ErrNotSealed.
func (r *Reader) Covering(ctx context.Context, pos int64) (Checkpoint, error) {
	if pos < 1 {
		return Checkpoint{}, fmt.Errorf("position %d is %w", pos, ErrRange)
	}
	c, ok, err := r.one(ctx, "WHERE size >= $1 ORDER BY size", pos)
	if err == nil && !ok {
		err = fmt.Errorf("position %d is %w", pos, ErrNotSealed)
	}
	return c, err
}

// Checkpoints are the checkpoints larger than a size, smallest first, at most limit of them.
func (r *Reader) Checkpoints(ctx context.Context, after int64, limit int) ([]Checkpoint, error) {
	return checkpoints(ctx, r.pool, r.keys, "SELECT "+checkpointColumns+" FROM ledger_checkpoints WHERE size > $1 ORDER BY size LIMIT $2", after, limit)
}

// sealed reads hashes of the latest tree, which include those of any smaller tree. It fails with ErrNotSealed when the
// latest tree is smaller than size.
func (r *Reader) sealed(ctx context.Context, size int64) (tlog.HashReader, error) {
	latest, err := r.Latest(ctx)
	if errors.Is(err, ErrNone) || err == nil && latest.Size < size {
		return nil, fmt.Errorf("size %d is %w (%d is)", size, ErrNotSealed, latest.Size)
	}
	return hashes(ctx, r.pool, latest.Size, latest.Root), err
}

// Root is the root of the tree of a size, whether or not there is a checkpoint of exactly that size. Sizes begin at 1.
func (r *Reader) Root(ctx context.Context, size int64) (tlog.Hash, error) {
	if size < 1 {
		return tlog.Hash{}, fmt.Errorf("size %d is %w", size, ErrRange)
	}
	reader, err := r.sealed(ctx, size)
	if err != nil {
		return tlog.Hash{}, err
	}
	return tlog.TreeHash(size, reader)
}

// Inclusion proves that the event at a position is in the tree of a size: check it with
// tlog.CheckRecord(proof, size, root, pos-1, leaf).
func (r *Reader) Inclusion(ctx context.Context, pos, size int64) (tlog.RecordProof, error) {
	if pos < 1 || size < pos {
		return nil, fmt.Errorf("position %d in a tree of size %d is %w", pos, size, ErrRange)
	}
	reader, err := r.sealed(ctx, size)
	if err != nil {
		return nil, err
	}
	return tlog.ProveRecord(size, pos-1, reader)
}

// Consistency proves that the tree of a new size continues the tree of an old one: check it with
// tlog.CheckTree(proof, newSize, newRoot, oldSize, oldRoot).
func (r *Reader) Consistency(ctx context.Context, oldSize, newSize int64) (tlog.TreeProof, error) {
	if oldSize < 1 || newSize < oldSize {
		return nil, fmt.Errorf("from size %d to size %d is %w", oldSize, newSize, ErrRange)
	}
	reader, err := r.sealed(ctx, newSize)
	if err != nil {
		return nil, err
	}
	return tlog.ProveTree(newSize, oldSize, reader)
}
