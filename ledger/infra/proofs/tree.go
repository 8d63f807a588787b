package proofs

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	height    = 8           // Of a tile: it spans 8 levels of the tree.
	tileWidth = 1 << height // Hashes in a full tile.
	levelsMax = 8           // Of tiles: 8 × 8 bits hold any size.

	// TileHeight is how many levels of the tree a tile has.
	TileHeight = height
	// TileLevels is how many levels of tiles there can be.
	TileLevels = levelsMax
)

// Tree is the right edge of a tree: the hashes needed to append leaves and to compute the root, at most 8 × 255 however
// large the tree. The zero value is the empty tree.
type Tree struct {
	size  int64
	edges [levelsMax][]byte // The hashes of each level's last tile, while it is not full.
	full  func(tlog.Tile, []byte)
}

// NewTree is an empty tree that calls full with every tile once it is full, those of the lower levels first.
func NewTree(full func(tile tlog.Tile, hashes []byte)) *Tree { return &Tree{full: full} }

// Edge answers the hashes of a level's last tile, which is not full: none when the level ends in a full one.
func (t *Tree) Edge(level int) []byte { return t.edges[level] }

// Size is the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Append adds the leaf of the next position.
func (t *Tree) Append(leaf tlog.Hash) {
	t.size++
	for level := range levelsMax {
		if t.edges[level] == nil {
			t.edges[level] = make([]byte, 0, tileWidth*tlog.HashSize)
		}
		t.edges[level] = append(t.edges[level], leaf[:]...)
		if len(t.edges[level]) < tileWidth*tlog.HashSize {
			return
		}
		if t.full != nil {
			t.full(tlog.Tile{H: height, L: level, N: t.size>>(height*(level+1)) - 1, W: tileWidth}, t.edges[level])
		}
		leaf = tileRoot(t.edges[level])
		t.edges[level] = nil
	}
}

// Root is the RFC 6962 root of the current tree.
func (t *Tree) Root() (tlog.Hash, error) {
	return tlog.TreeHash(t.size, tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			tile := tlog.TileForIndex(height, index)
			var err error
			if hashes[i], err = tlog.HashFromTile(tile, t.edges[tile.L], index); err != nil {
				return nil, err
			}
		}
		return hashes, nil
	}))
}

// edge is the tile at the end of a level in a tree of a size, and whether the level ends in a tile that is not full.
func edge(level int, size int64) (tlog.Tile, bool) {
	count := size >> (height * level)
	return tlog.Tile{H: height, L: level, N: count >> height, W: int(count % tileWidth)}, count%tileWidth > 0
}

// edgeTiles are the last tiles of a tree of a size.
func edgeTiles(size int64) (tiles []tlog.Tile) {
	for level := range levelsMax {
		if tile, partial := edge(level, size); partial {
			tiles = append(tiles, tile)
		}
	}
	return tiles
}

// treeFrom is the tree of a size with the given edge tiles.
func treeFrom(size int64, tiles []tlog.Tile, data [][]byte) (*Tree, error) {
	t := &Tree{size: size}
	for i, tile := range tiles {
		if len(data[i]) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("proofs: tile %s holds %d bytes", tile.Path(), len(data[i]))
		}
		t.edges[tile.L] = append([]byte(nil), data[i]...)
	}
	return t, nil
}

// tileRoot is the root of a full tile, which is a hash of the level above it.
func tileRoot(hashes []byte) tlog.Hash {
	if len(hashes) == tlog.HashSize {
		return tlog.Hash(hashes)
	}
	middle := len(hashes) / 2
	return tlog.NodeHash(tileRoot(hashes[:middle]), tileRoot(hashes[middle:]))
}

// TreeAt is the tree of a size from its stored tiles, unproven: compare its Root. It fails with ErrInconsistent when
// the tree was not sealed that far, or a tile is missing.
func TreeAt(ctx context.Context, db querier, size int64) (*Tree, error) {
	tiles := edgeTiles(size)
	data, err := readTiles(ctx, db, tiles)
	if err != nil {
		return nil, err
	}
	return treeFrom(size, tiles, data)
}
