package liabilities

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// Tile is up to 256 adjacent nodes of a level. Every eighth level is kept in tiles; the levels between follow from
// them.
type Tile struct {
	Level int    // Above the leaves: 0, 8, 16, …
	N     int64  // The first tile of a level is 0.
	Last  Hash   // Of its last node.
	Nodes []byte // The encoding that Nodes decodes.
}

// ErrAbsent is returned for a leaf that a tree does not have.
var ErrAbsent = errors.New("liabilities: the tree has no such leaf")

// Tiles are the tiles from which all paths can be computed.
func (t *Tree) Tiles() (tiles []Tile) {
	for level := 0; level < len(t.levels)-1; level += tileHeight {
		n := int64(0)
		for nodes := range slices.Chunk(t.levels[level], tileWidth) {
			body := make([]byte, 0, len(nodes)*nodeBytes)
			for _, node := range nodes {
				body = node.append(body)
			}
			tiles = append(tiles, Tile{level, n, nodes[len(nodes)-1].Hash, body})
			n++
		}
	}
	return tiles
}

// FromTiles rebuilds a tree from its tiles, those of the leaves in order. It fails if a tile is missing, or differs
// from the one that follows from the leaves.
func FromTiles(tiles []Tile) (*Tree, error) {
	var leaves []Node
	for _, tile := range tiles {
		if tile.Level == 0 {
			nodes, err := decodeNodes(tile.Nodes)
			if err != nil {
				return nil, err
			}
			leaves = append(leaves, nodes...)
		}
	}
	if n := len(leaves); n == 0 || n&(n-1) != 0 {
		return nil, fmt.Errorf("liabilities: the tiles have %d leaves", n)
	}
	t, err := grow(leaves)
	if err != nil {
		return nil, err
	}
	same := func(a, b Tile) bool {
		return a.Level == b.Level && a.N == b.N && a.Last == b.Last && bytes.Equal(a.Nodes, b.Nodes)
	}
	if !slices.EqualFunc(t.Tiles(), tiles, same) {
		return nil, errors.New("liabilities: the tiles above the leaves are not what follows from these")
	}
	return t, nil
}

// Source answers the tiles of a tree.
type Source interface {
	Tile(level int, n int64) (nodes []byte, err error) // As Tree.Tiles encoded them.
	// Holding answers the first tile of level 0 whose last leaf is at or after a hash, and its number; ErrAbsent for
	// none.
	Holding(leaf Hash) (n int64, nodes []byte, err error)
}

// Prove proves an account under a tree with the given root and number of leaves. It verifies its answer.
func Prove(from Source, root Node, leaves int64, secret Secret, a Account) (Proven, error) {
	out := Proven{Account: a.Name, Kobo: Kobo(a.Kobo)}
	for _, part := range secret.parts(a) {
		leaf := LeafOf(part.Salt, a.Name, part.Kobo)
		index, path, err := prove(from, leaf, leaves)
		if err != nil {
			return out, err
		}
		p := ProvenPart{Kobo: Kobo(part.Kobo), Salt: Hex(part.Salt), Index: index}
		for _, node := range path {
			p.Path = append(p.Path, Beside{Kobo: Kobo(node.Kobo), Hash: Hex(node.Hash)})
		}
		if up, err := p.up(a.Name, leaves); err != nil || up != root {
			return out, fmt.Errorf("liabilities: %s is not under the root that was committed to", a.Name)
		}
		out.Parts = append(out.Parts, p)
	}
	return out, nil
}

// prove answers the index of a leaf, and the nodes beside its way up.
func prove(from Source, leaf Node, leaves int64) (int64, []Node, error) {
	n, body, err := from.Holding(leaf.Hash)
	if err != nil {
		return 0, nil, err
	}
	nodes, err := decodeNodes(body)
	if err != nil {
		return 0, nil, err
	}
	at := slices.Index(nodes, leaf)
	if at < 0 {
		return 0, nil, ErrAbsent
	}
	index := n*tileWidth + int64(at)
	path := make([]Node, 0, DepthMax)
	for level := 0; ; {
		for i := index >> level % tileWidth; len(nodes) > 1; i /= 2 {
			path = append(path, nodes[i^1])
			if nodes, err = fold(nodes); err != nil {
				return 0, nil, err
			}
		}
		if level += tileHeight; leaves>>level <= 1 {
			return index, path, nil
		}
		if body, err = from.Tile(level, index>>(level+tileHeight)); err != nil {
			return 0, nil, err
		}
		if nodes, err = decodeNodes(body); err != nil {
			return 0, nil, err
		}
	}
}

func decodeNodes(body []byte) ([]Node, error) {
	count := len(body) / nodeBytes
	if len(body)%nodeBytes != 0 || count < 2 || count > tileWidth || count&(count-1) != 0 {
		return nil, fmt.Errorf("liabilities: a tile has %d bytes", len(body))
	}
	nodes := make([]Node, count)
	for i := range nodes {
		b := body[i*nodeBytes:]
		nodes[i] = Node{Hash(b[8:nodeBytes]), int64(binary.BigEndian.Uint64(b))}
	}
	return nodes, nil
}
