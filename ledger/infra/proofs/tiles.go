package proofs

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/migrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the tables of tiles and checkpoints to this build's version, recorded in goose_proofs.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, folder, "goose_proofs")
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// A stored tile may be wider than the one asked for, never narrower; the caller sees that by the length. OFFSET 0 keeps
// the planner from reading the whole table when it has no statistics: each tile is looked up by its key.
const selectTiles = `SELECT asked.i, tile.hashes
FROM unnest($1::smallint[], $2::bigint[], $3::integer[]) WITH ORDINALITY AS asked (level, n, width, i)
CROSS JOIN LATERAL (SELECT substr(hashes, 1, asked.width * 32) AS hashes FROM ledger_tiles
	WHERE level = asked.level AND n = asked.n OFFSET 0) AS tile`

// readTiles answers the hashes of tiles, in their order, in one round trip. It fails when any is missing or too narrow.
func readTiles(ctx context.Context, db querier, tiles []tlog.Tile) ([][]byte, error) {
	if len(tiles) == 0 {
		return nil, nil
	}
	levels, ns, widths := make([]int16, len(tiles)), make([]int64, len(tiles)), make([]int32, len(tiles))
	for i, tile := range tiles {
		levels[i], ns[i], widths[i] = int16(tile.L), tile.N, int32(tile.W)
	}
	rows, err := db.Query(ctx, selectTiles, levels, ns, widths)
	if err != nil {
		return nil, fmt.Errorf("proofs: read tiles: %w", err)
	}
	data := make([][]byte, len(tiles))
	var i int
	var hashes []byte
	if _, err := pgx.ForEachRow(rows, []any{&i, &hashes}, func() error {
		data[i-1] = append([]byte(nil), hashes...)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("proofs: read tiles: %w", err)
	}
	for i, tile := range tiles {
		if len(data[i]) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%w: tile %s is missing or too narrow", ErrInconsistent, tile.Path())
		}
	}
	return data, nil
}

// An existing tile that is as wide or wider stays: sealing began again where every checkpoint was lost.
const upsertTiles = `INSERT INTO ledger_tiles (level, n, width, hashes)
SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::smallint[], $4::bytea[])
ON CONFLICT (level, n) DO UPDATE SET width = excluded.width, hashes = excluded.hashes
	WHERE substr(ledger_tiles.hashes, 1, octet_length(excluded.hashes)) <> excluded.hashes`

// pendingTiles are tiles to be written together.
type pendingTiles struct {
	levels, widths []int16
	ns             []int64
	hashes         [][]byte
}

func (p *pendingTiles) add(tile tlog.Tile, hashes []byte) {
	p.levels, p.ns, p.widths = append(p.levels, int16(tile.L)), append(p.ns, tile.N), append(p.widths, int16(tile.W))
	p.hashes = append(p.hashes, hashes)
}

// write writes the pending tiles and forgets them.
func (p *pendingTiles) write(ctx context.Context, tx pgx.Tx) error {
	if len(p.levels) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, upsertTiles, p.levels, p.ns, p.widths, p.hashes)
	*p = pendingTiles{}
	return err
}

// tileReader reads tiles for tlog, which checks them against the tree's root before it uses them.
type tileReader struct {
	ctx context.Context //nolint:containedctx // tlog.TileReader takes none.
	db  querier
}

func (r tileReader) Height() int { return height }
func (r tileReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	return readTiles(r.ctx, r.db, tiles)
}
func (r tileReader) SaveTiles([]tlog.Tile, [][]byte) {}

// hashes reads the hashes of a tree whose root is known. Every hash that it answers is proven to be in that tree.
func hashes(ctx context.Context, db querier, size int64, root tlog.Hash) tlog.HashReader {
	return checkedHashes(tlog.Tree{N: size, Hash: root}, tileReader{ctx, db})
}

func checkedHashes(tree tlog.Tree, tiles tlog.TileReader) tlog.HashReader {
	checked := tlog.TileHashReader(tree, tiles)
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found, err := checked.ReadHashes(indexes)
		if err != nil && err.Error() == "downloaded inconsistent tile" { // tlog's own words; it has no error value.
			return nil, fmt.Errorf("%w: a stored tile is not of the tree of size %d", ErrInconsistent, tree.N)
		}
		return found, err
	})
}

// SealedLeaves are the leaves of the positions from one to another, both included, from the stored tiles, unproven. It
// fails with ErrInconsistent when a tile is missing or too narrow.
func SealedLeaves(ctx context.Context, db querier, from, to int64) ([]tlog.Hash, error) {
	first, last := (from-1)/tileWidth, (to-1)/tileWidth
	var tiles []tlog.Tile
	for n := first; n <= last; n++ {
		width := int64(tileWidth)
		if n == last {
			width = to - n*tileWidth
		}
		tiles = append(tiles, tlog.Tile{H: height, L: 0, N: n, W: int(width)})
	}
	data, err := readTiles(ctx, db, tiles)
	if err != nil {
		return nil, err
	}
	leaves := make([]tlog.Hash, 0, to-from+1)
	for i, hashes := range data {
		for at := 0; at < len(hashes); at += tlog.HashSize {
			if pos := (first+int64(i))*tileWidth + int64(at/tlog.HashSize) + 1; pos >= from {
				leaves = append(leaves, tlog.Hash(hashes[at:at+tlog.HashSize]))
			}
		}
	}
	return leaves, nil
}
