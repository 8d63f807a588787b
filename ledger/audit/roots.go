package audit

import (
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/proofs"
	"adashi.ng/ledger/store"
)

// Roots recomputes the tree from the events' columns and answers its roots at some sizes, and how far it goes. The
// leaves of positions that are kept elsewhere are taken as they were sealed. It ends at the first position that is
// missing. progress may be nil.
func Roots(ctx context.Context, pool *pgxpool.Pool, sizes []int64, progress func(done, total int64)) (roots map[int64]tlog.Hash, end int64, err error) {
	s, err := open(ctx, pool)
	if err != nil {
		return nil, 0, err
	}
	defer s.close()
	r := rooting{tree: proofs.NewTree(nil), sizes: slices.Sorted(slices.Values(sizes)), roots: map[int64]tlog.Hash{}}
	if err := r.at(0); err != nil {
		return nil, 0, err
	}
	var w worker
	for _, p := range s.parts {
		if r.ended || p.from > s.head {
			break
		}
		if p.table == "" {
			err = r.sealed(ctx, s, min(p.to, s.head))
		} else {
			err = store.ScanChunks(ctx, s.scan, p.table, max(p.from, math.MinInt64), min(p.to, s.head), func(c store.Chunk) error {
				rows, err := c.Rows()
				for i := 0; err == nil && i < len(rows); i++ {
					err = r.leaf(rows[i].Pos, w.leaf(&rows[i].Record))
				}
				if progress != nil {
					progress(r.tree.Size(), s.head)
				}
				return err
			})
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return r.roots, r.tree.Size(), nil
}

// rooting is a tree that grows, and the sizes whose roots are wanted.
type rooting struct {
	tree  *proofs.Tree
	sizes []int64
	roots map[int64]tlog.Hash
	ended bool // A position is missing: nothing after it is of the tree.
}

func (r *rooting) leaf(pos int64, leaf tlog.Hash) error {
	if pos != r.tree.Size()+1 {
		r.ended = true
	}
	if r.ended {
		return nil
	}
	r.tree.Append(leaf)
	return r.at(pos)
}

// at takes down the root of a size if it is wanted.
func (r *rooting) at(size int64) error {
	for len(r.sizes) > 0 && r.sizes[0] <= size {
		root, err := r.tree.Root()
		if err != nil {
			return err
		}
		if r.sizes[0] == size {
			r.roots[size] = root
		}
		r.sizes = r.sizes[1:]
	}
	return nil
}

// sealed adds the leaves up to a position as they were sealed.
func (r *rooting) sealed(ctx context.Context, s *snapshot, to int64) error {
	for !r.ended && r.tree.Size() < to {
		from := r.tree.Size() + 1
		leaves, err := proofs.SealedLeaves(ctx, s.side, from, min(to, from+leavesAtOnce-1))
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
