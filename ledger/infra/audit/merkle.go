package audit

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
)

// expected is a root that was signed or stored.
type expected struct {
	size  int64
	root  tlog.Hash
	where string // Such as "the checkpoint".
	check *Check
}

// source yields expected roots, the smaller sizes first; false at its end.
type source func() (expected, bool)

// merkle makes the tree of the stored events and compares its roots with the signed ones.
type merkle struct {
	snapshot *snapshot
	tree     *proofs.Tree
	leaves   []tlog.Hash               // A hash of the bytes of each full tile of leaves.
	levels   [proofs.TileLevels][]byte // Every hash of each level from 1 on, of full tiles.
	sources  []source
	due      []*expected // The next of each source.
	wrong    map[*Check]int64
	edges    [proofs.TileLevels][]byte // Of the tree as it was sealed last.
	broken   int64                     // From this size on the tree is not known; 0 while it is.
}

func newMerkle(s *snapshot, sources ...source) *merkle {
	m := &merkle{snapshot: s, sources: sources, due: make([]*expected, len(sources)), wrong: map[*Check]int64{}}
	m.tree = proofs.NewTree(func(tile tlog.Tile, hashes []byte) {
		if tile.L == 0 {
			m.leaves = append(m.leaves, sha256.Sum256(hashes))
			return
		}
		m.levels[tile.L] = append(m.levels[tile.L], hashes...)
	})
	for i := range sources {
		m.draw(i)
	}
	return m
}

func (m *merkle) draw(i int) {
	m.due[i] = nil
	if e, more := m.sources[i](); more {
		m.due[i] = &e
	}
}

// append adds the leaf of a position. Positions that are not the next one, or beyond the head, are not in the tree.
func (m *merkle) append(_ context.Context, pos int64, leaf tlog.Hash) error {
	if m.broken > 0 || pos != m.tree.Size()+1 || pos > m.snapshot.head {
		return nil
	}
	return m.leaf(leaf)
}

func (m *merkle) leaf(leaf tlog.Hash) error {
	m.tree.Append(leaf)
	size := m.tree.Size()
	if size == m.snapshot.sealed {
		for level := range m.edges {
			m.edges[level] = append([]byte(nil), m.tree.Edge(level)...)
		}
	}
	for i := range m.due {
		for m.due[i] != nil && m.due[i].size <= size {
			if err := m.hold(m.due[i], size); err != nil {
				return err
			}
			m.draw(i)
		}
	}
	return nil
}

// hold compares a root that was signed with the tree's.
func (m *merkle) hold(e *expected, size int64) error {
	e.check.Looked++
	if e.size != size {
		e.check.Violate(0, "", "%s of size %d comes after one of size %d.", e.where, e.size, size)
		return nil
	}
	root, err := m.tree.Root()
	if err != nil {
		return err
	}
	if root != e.root {
		if m.wrong[e.check] == 0 {
			m.wrong[e.check] = size
		}
		e.check.Violate(size, "", "%s of size %d has another root than the events have: one of the positions from 1 to %d was changed.", e.where, size, size)
	}
	return nil
}

// leavesAtOnce is how many sealed leaves are read at a time.
const leavesAtOnce = 256 * 256

// skip adds the sealed leaves of positions whose events are not here, so that the later roots can be verified.
func (m *merkle) skip(ctx context.Context, from, to int64) error {
	if m.broken > 0 || from != m.tree.Size()+1 {
		return nil
	}
	if to > m.snapshot.sealed {
		m.broken = from - 1
		return nil
	}
	for from <= to {
		upto := min(to, from+leavesAtOnce-1)
		leaves, err := proofs.SealedLeaves(ctx, m.snapshot.side, from, upto)
		if err != nil {
			m.broken = from - 1
		}
		if errors.Is(err, proofs.ErrInconsistent) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, leaf := range leaves {
			if err := m.leaf(leaf); err != nil {
				return err
			}
		}
		from = upto + 1
	}
	return nil
}

// finish reports the roots of sizes that the tree never had.
func (m *merkle) finish() {
	for i := range m.due {
		for m.due[i] != nil {
			e := m.due[i]
			e.check.Looked++
			switch {
			case e.size > m.snapshot.head:
				e.check.Violate(m.snapshot.head+1, "", "%s is of size %d, but the ledger ends at position %d: events were cut off.", e.where, e.size, m.snapshot.head)
			default:
				e.check.Violate(m.broken+1, "", "%s of size %d cannot be verified: events are missing that were not sealed.", e.where, e.size)
			}
			m.draw(i)
		}
	}
}

// level answers every hash of a level from 1 on, for a tree of a size. It answers fewer where the rest is not known.
func (m *merkle) level(level int, size int64) []byte {
	hashes := m.levels[level]
	if want := int(size>>(proofs.TileHeight*level)) * tlog.HashSize; len(hashes) < want {
		hashes = append(hashes[:len(hashes):len(hashes)], m.edges[level]...)
		return hashes[:min(want, len(hashes))]
	} else {
		return hashes[:want]
	}
}

// tiles compares every stored tile with the tree of the events.
func (m *merkle) tiles(ctx context.Context, c *Check) error {
	sealed := m.snapshot.sealed
	if !m.snapshot.tables["ledger_checkpoints"] {
		c.Skipped = "the latest checkpoint cannot be read"
		return nil
	}
	if m.broken > 0 || m.tree.Size() < sealed {
		c.Skipped = fmt.Sprintf("the events after position %d are not here, and were not sealed", m.tree.Size())
		return nil
	}
	want := map[int16]int64{}
	for level := range proofs.TileLevels {
		want[int16(level)] = (sealed>>(proofs.TileHeight*level) + 255) / 256
	}
	rows, err := m.snapshot.side.Query(ctx, "SELECT level, n, width, hashes FROM ledger_tiles ORDER BY level, n")
	if err != nil {
		return err
	}
	var (
		suspects []int64 // Tiles of leaves.
		level    int16
		n        int64
		width    int16
		hashes   []byte
		due      = map[int16]int64{}
	)
	for rows.Next() {
		if err := rows.Scan(&level, &n, &width, &hashes); err != nil {
			return err
		}
		c.Looked++
		name := fmt.Sprintf("tile %d of level %d", n, level)
		for ; due[level] < n; due[level]++ {
			c.Violate(due[level]<<(proofs.TileHeight*(int(level)+1))+1, fmt.Sprintf("tile %d of level %d", due[level], level), "The tile is missing.")
		}
		due[level] = n + 1
		count := min(256, sealed>>(proofs.TileHeight*int(level))-n*256)
		switch {
		case count <= 0 || int64(len(hashes)) != count*tlog.HashSize || int64(width) != count:
			c.Violate(0, name, "The tile holds %d hashes, and the latest checkpoint has %d there.", len(hashes)/tlog.HashSize, max(0, count))
		case level == 0 && !m.leavesMatch(n, hashes):
			suspects = append(suspects, n)
		case level > 0:
			m.hashesMatch(c, int(level), n, name, hashes)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for level, all := range want {
		for ; due[level] < all; due[level]++ {
			c.Violate(due[level]<<(proofs.TileHeight*(int(level)+1))+1, fmt.Sprintf("tile %d of level %d", due[level], level), "The tile is missing.")
		}
	}
	for _, n := range suspects {
		if err := m.suspect(ctx, c, n); err != nil {
			return err
		}
	}
	return nil
}

// leavesMatch reports whether a tile of leaves matches the events: a full tile by a hash of its bytes, which costs a
// tenth of computing its root, and the last one hash by hash.
func (m *merkle) leavesMatch(n int64, hashes []byte) bool {
	if len(hashes) < 256*tlog.HashSize {
		return string(hashes) == string(m.edges[0])
	}
	return n < int64(len(m.leaves)) && m.leaves[n] == sha256.Sum256(hashes)
}

func (m *merkle) hashesMatch(c *Check, level int, n int64, name string, hashes []byte) {
	ours := m.level(level, m.snapshot.sealed)
	for i := 0; i < len(hashes); i += tlog.HashSize {
		at := n*256*tlog.HashSize + int64(i)
		if at+tlog.HashSize > int64(len(ours)) || string(ours[at:at+tlog.HashSize]) != string(hashes[i:i+tlog.HashSize]) {
			index := at / tlog.HashSize
			from := index<<(proofs.TileHeight*level) + 1
			c.Violate(from, name, "Hash %d is not that of the events at the positions from %d to %d.", i/tlog.HashSize+1, from, (index+1)<<(proofs.TileHeight*level))
			return
		}
	}
}

// suspect finds the leaves of a tile that differ from those of the events.
func (m *merkle) suspect(ctx context.Context, c *Check, n int64) error {
	from := n*256 + 1
	to := min(m.snapshot.sealed, from+255)
	sealed, err := proofs.SealedLeaves(ctx, m.snapshot.side, from, to)
	if err != nil {
		return err
	}
	found := false
	err = m.snapshot.rows(ctx, from, to, func(j *judged) {
		if string(sealed[j.Pos-from][:]) != string(j.leaf[:]) {
			found = true
			c.Violate(j.Pos, fmt.Sprintf("tile %d of level 0", n), "The event is another one than was sealed.")
		}
	})
	if err == nil && !found {
		c.Violate(from, fmt.Sprintf("tile %d of level 0", n), "The tile is not that of the events at the positions from %d to %d.", from, to)
	}
	return err
}
