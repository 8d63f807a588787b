package audit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
)

// ErrPartition is returned for a partition whose rows differ from the sealed ones.
var ErrPartition = errors.New("the partition is not what was sealed")

// Partition recomputes the leaf of every row of a partition, attached or not, and compares it with the sealed tiles,
// which it proves against the latest checkpoint. Its error is ErrPartition with the first position that differs, or
// proofs.ErrNotSealed when no checkpoint covers the partition. progress may be nil.
func Partition(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, p history.Partition, progress func(done, total int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	last := p.To - 1
	reader := proofs.NewReader(pool, keys)
	sealed, err := reader.Latest(ctx)
	if errors.Is(err, proofs.ErrNone) || err == nil && sealed.Size < last {
		return fmt.Errorf("%s is %w: it ends at position %d", p.Name, proofs.ErrNotSealed, last)
	}
	if err != nil {
		return err
	}
	root, err := reader.Root(ctx, last)
	if err != nil {
		return err
	}
	conns := [2]*pgx.Conn{}
	for i := range conns {
		var end func()
		if conns[i], end, err = apart.Connect(ctx, pool); err != nil {
			return err
		}
		defer end()
	}
	tree, err := proofs.TreeAt(ctx, conns[1], p.From-1)
	if err != nil {
		return err
	}
	c := comparing{ctx: ctx, tiles: conns[1], next: p.From, last: last, tree: tree}
	var w worker
	err = history.ScanChunks(ctx, conns[0], p.Name, math.MinInt64, math.MaxInt64, func(chunk history.Chunk) error {
		rows, err := w.judge(chunk)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := c.row(&rows[i]); err != nil {
				return err
			}
		}
		progress(c.next-p.From, p.To-p.From)
		return nil
	})
	if err != nil {
		return err
	}
	if c.next <= last {
		return fmt.Errorf("%w: there is no event at position %d", ErrPartition, c.next)
	}
	// The tiles prove nothing unless they have the signed root.
	if ours, err := tree.Root(); err != nil || ours != root {
		return fmt.Errorf("%w: its events do not have the signed root", ErrPartition)
	}
	return nil
}

// comparing compares rows with sealed leaves.
type comparing struct {
	ctx        context.Context //nolint:containedctx // It lives as long as one scan, whose callback takes none.
	tiles      *pgx.Conn
	leaves     []([32]byte)
	from       int64 // The position of the first of leaves.
	next, last int64
	tree       *proofs.Tree
}

func (c *comparing) row(j *judged) error {
	switch {
	case j.Pos > c.last:
		return fmt.Errorf("%w: position %d is not of it", ErrPartition, j.Pos)
	case j.Pos > c.next:
		return fmt.Errorf("%w: there is no event at position %d", ErrPartition, c.next)
	case j.Pos < c.next:
		return fmt.Errorf("%w: position %d is not of it", ErrPartition, j.Pos)
	}
	if c.next >= c.from+int64(len(c.leaves)) {
		sealed, err := proofs.SealedLeaves(c.ctx, c.tiles, c.next, min(c.last, c.next+leavesAtOnce-1))
		if err != nil {
			return err
		}
		c.from, c.leaves = c.next, c.leaves[:0]
		for _, leaf := range sealed {
			c.leaves = append(c.leaves, leaf)
		}
	}
	switch {
	case j.Malformed != "":
		return fmt.Errorf("%w: position %d: %s", ErrPartition, j.Pos, j.Malformed)
	case j.leaf != c.leaves[j.Pos-c.from]:
		return fmt.Errorf("%w: the event at position %d was changed", ErrPartition, j.Pos)
	case string(j.Leaf) != string(j.leaf[:]):
		return fmt.Errorf("%w: the leaf that is stored at position %d was changed", ErrPartition, j.Pos)
	}
	c.tree.Append(j.leaf)
	c.next++
	return nil
}
