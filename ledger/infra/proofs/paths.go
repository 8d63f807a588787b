package proofs

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Paths prove that the events at positions are in the tree of a checkpoint, each as Inclusion does. A tile that several
// proofs need is read once.
func (r *Reader) Paths(ctx context.Context, c Checkpoint, positions []int64) ([]tlog.RecordProof, error) {
	kept := keptTiles{tileReader{ctx, r.pool}, map[tlog.Tile][]byte{}}
	var wanted []tlog.Tile
	for _, pos := range positions {
		if pos < 1 || pos > c.Size {
			return nil, fmt.Errorf("position %d in a tree of size %d is %w", pos, c.Size, ErrRange)
		}
		for level := range levelsMax {
			n := (pos - 1) >> (height * (level + 1))
			if width := min(tileWidth, c.Size>>(height*level)-n*tileWidth); width > 0 {
				wanted = append(wanted, tlog.Tile{H: height, L: level, N: n, W: int(width)})
			}
		}
	}
	if _, err := kept.ReadTiles(wanted); err != nil {
		return nil, err
	}
	reader := checkedHashes(tlog.Tree{N: c.Size, Hash: c.Root}, kept)
	proofs := make([]tlog.RecordProof, len(positions))
	for i, pos := range positions {
		var err error
		if proofs[i], err = tlog.ProveRecord(c.Size, pos-1, reader); err != nil {
			return nil, err
		}
	}
	return proofs, nil
}

// Consistencies prove that the tree of a checkpoint continues those of smaller sizes, each as Consistency does. A tile
// that several proofs need is read once.
func (r *Reader) Consistencies(ctx context.Context, c Checkpoint, sizes []int64) ([]tlog.TreeProof, error) {
	reader := checkedHashes(tlog.Tree{N: c.Size, Hash: c.Root}, keptTiles{tileReader{ctx, r.pool}, map[tlog.Tile][]byte{}})
	proofs := make([]tlog.TreeProof, len(sizes))
	for i, size := range sizes {
		if size < 1 || size > c.Size {
			return nil, fmt.Errorf("from size %d to size %d is %w", size, c.Size, ErrRange)
		}
		var err error
		if proofs[i], err = tlog.ProveTree(c.Size, size, reader); err != nil {
			return nil, err
		}
	}
	return proofs, nil
}

// keptTiles reads each tile once.
type keptTiles struct {
	tileReader
	tiles map[tlog.Tile][]byte
}

// tilesMost is how many tiles are read at once: 2 MB of them.
const tilesMost = 256

func (k keptTiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var missing []tlog.Tile
	for _, tile := range tiles {
		if _, known := k.tiles[tile]; !known {
			missing = append(missing, tile)
			k.tiles[tile] = nil
		}
	}
	for len(missing) > 0 {
		part := missing[:min(tilesMost, len(missing))]
		missing = missing[len(part):]
		data, err := k.tileReader.ReadTiles(part)
		if err != nil {
			return nil, err
		}
		for i, tile := range part {
			k.tiles[tile] = data[i]
		}
	}
	found := make([][]byte, len(tiles))
	for i, tile := range tiles {
		found[i] = k.tiles[tile]
	}
	return found, nil
}
