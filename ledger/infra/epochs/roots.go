package epochs

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
)

// rooting is a tree of the current events, and the sizes whose roots are wanted.
type rooting struct {
	tree  *proofs.Tree
	sizes []int64
	roots map[int64]tlog.Hash
}

// roots recomputes the tree from the events' columns, up to a position, and answers its roots at some sizes. For
// positions that are kept elsewhere it uses the sealed leaves. It fails where a position is missing.
func (l Ledger) roots(ctx context.Context, head int64, sizes []int64) (map[int64]tlog.Hash, error) {
	parts, err := history.Partitions(ctx, l.Pool)
	if err != nil {
		return nil, err
	}
	conn, end, err := apart.Connect(ctx, l.Pool)
	if err != nil {
		return nil, err
	}
	defer end()
	r := rooting{tree: proofs.NewTree(nil), sizes: slices.Sorted(slices.Values(sizes)), roots: map[int64]tlog.Hash{}}
	for _, p := range parts {
		to := min(p.To-1, head)
		switch {
		case p.From > head:
			continue
		case !p.Present:
			err = r.sealed(ctx, l, p.From, to)
		default:
			table := p.Name
			if p.Attached {
				table = "events"
			}
			err = history.ScanChunks(ctx, conn, table, p.From, to, func(c history.Chunk) error {
				rows, err := c.Rows()
				for i := 0; err == nil && i < len(rows); i++ {
					err = r.leaf(rows[i].Pos, rows[i].Record.Leaf())
				}
				if l.Progress != nil {
					l.Progress(r.tree.Size(), head)
				}
				return err
			})
		}
		if err != nil {
			return nil, err
		}
	}
	if r.tree.Size() < head {
		return nil, missing(r.tree.Size() + 1)
	}
	return r.roots, nil
}

func missing(pos int64) error {
	return fmt.Errorf("there is no event at position %d: adashi ledger verify", pos)
}

// leaf adds the leaf of the next position, and keeps the root if it is wanted.
func (r *rooting) leaf(pos int64, leaf tlog.Hash) error {
	if pos != r.tree.Size()+1 {
		return missing(r.tree.Size() + 1)
	}
	r.tree.Append(leaf)
	for len(r.sizes) > 0 && r.sizes[0] <= pos {
		root, err := r.tree.Root()
		if err != nil {
			return err
		}
		if r.sizes[0] == pos {
			r.roots[pos] = root
		}
		r.sizes = r.sizes[1:]
	}
	return nil
}

// sealedAtOnce is how many sealed leaves are read at a time.
const sealedAtOnce = 256 * 256

// sealed adds the sealed leaves of some positions.
func (r *rooting) sealed(ctx context.Context, l Ledger, from, to int64) error {
	for ; from <= to; from += sealedAtOnce {
		leaves, err := proofs.SealedLeaves(ctx, l.Pool, from, min(to, from+sealedAtOnce-1))
		if err != nil {
			return err
		}
		for i, leaf := range leaves {
			if err := r.leaf(from+int64(i), leaf); err != nil {
				return err
			}
		}
	}
	return nil
}
