package reserves

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/infra/proofs/liabilities"
)

// treesKept is of how many commitments there are proofs. Roots are kept for ever.
const treesKept = 8

// kept is what proofs are made of, as it is kept.
type kept struct{ pool *pgxpool.Pool }

func (s *Service) kept() kept { return kept{s.Pool} }

// commitment is one as it is kept.
type commitment struct {
	ID       uuid.UUID
	Position int64
	Root     []byte
	Sum      int64
	Leaves   int64
	KeyID    string
	MadeAt   time.Time
	Pos      int64 // Of its event.
}

// node is the root of the tree.
func (c commitment) node() liabilities.Node {
	return liabilities.Node{Hash: liabilities.Hash(c.Root), Kobo: c.Sum}
}

// add keeps a tree, and forgets those of long ago.
func (k kept) add(ctx context.Context, id uuid.UUID, m *nairav1.LiabilitiesCommitted, at time.Time, accounts []liabilities.Account, tree *liabilities.Tree) error {
	return pgx.BeginFunc(ctx, k.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO liabilities (id, position, root, sum_kobo, leaves, key_id, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			id, m.GetPosition(), m.GetRoot(), m.GetSumKobo(), m.GetLeaves(), m.GetKeyId(), at); err != nil {
			return err
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"liability_accounts"}, []string{"id", "account", "kobo", "parts"}, pgx.CopyFromSlice(len(accounts), func(i int) ([]any, error) {
			return []any{id, accounts[i].Name, accounts[i].Kobo, accounts[i].Parts}, nil
		})); err != nil {
			return err
		}
		tiles := tree.Tiles()
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"liability_tiles"}, []string{"id", "level", "n", "last", "nodes"}, pgx.CopyFromSlice(len(tiles), func(i int) ([]any, error) {
			return []any{id, tiles[i].Level, tiles[i].N, tiles[i].Last[:], tiles[i].Nodes}, nil
		})); err != nil {
			return err
		}
		for _, table := range []string{"liability_accounts", "liability_tiles"} {
			if _, err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM liabilities ORDER BY id DESC OFFSET $1)", treesKept); err != nil {
				return err
			}
		}
		return nil
	})
}

// recorded notes the events of a commitment and of those before it, of which a process may have ended before it noted
// one.
func (k kept) recorded(ctx context.Context, id uuid.UUID) error {
	_, err := k.pool.Exec(ctx, `UPDATE liabilities l SET pos = (SELECT pos FROM events
		WHERE hashtextextended(stream, 0) = hashtextextended('reserves:' || l.id, 0) AND hashtextextended(stream, 1) = hashtextextended('reserves:' || l.id, 1)
		AND stream = 'reserves:' || l.id AND type = 'naira.v1.LiabilitiesCommitted') WHERE pos IS NULL AND l.id <= $1`, id)
	return err
}

// list reads commitments that the ledger has, the latest first.
func (k kept) list(ctx context.Context, limit int) ([]commitment, error) {
	rows, err := k.pool.Query(ctx, "SELECT id, position, root, sum_kobo, leaves, key_id, made_at, pos FROM liabilities WHERE pos IS NOT NULL ORDER BY id DESC LIMIT $1", limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[commitment])
}

// accounts are those of some names that a commitment has, and the pots of some ajos.
func (k kept) accounts(ctx context.Context, id uuid.UUID, names, ajos []string) ([]liabilities.Account, error) {
	rows, err := k.pool.Query(ctx, `SELECT account, kobo, parts FROM liability_accounts WHERE id = $1 AND account = ANY ($2)
		UNION ALL SELECT p.account, p.kobo, p.parts FROM unnest($3::text[]) AS a (id), LATERAL (SELECT * FROM liability_accounts
			WHERE id = $1 AND account > 'pot:' || a.id || ':' AND account < 'pot:' || a.id || ';') p ORDER BY 1`, id, names, ajos)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[liabilities.Account])
}

// tiles is the tree of one commitment. It remembers the upper tiles, and is used for one reply.
type tiles struct {
	ctx   context.Context //nolint:containedctx // It lives as long as one call.
	pool  *pgxpool.Pool
	id    uuid.UUID
	upper map[[2]int64][]byte
}

func (k kept) tiles(ctx context.Context, id uuid.UUID) *tiles {
	return &tiles{ctx, k.pool, id, map[[2]int64][]byte{}}
}

// Tile implements liabilities.Source.
func (t *tiles) Tile(level int, n int64) (nodes []byte, err error) {
	at := [2]int64{int64(level), n}
	if nodes = t.upper[at]; nodes != nil {
		return nodes, nil
	}
	err = t.pool.QueryRow(t.ctx, "SELECT nodes FROM liability_tiles WHERE id = $1 AND level = $2 AND n = $3", t.id, level, n).Scan(&nodes)
	t.upper[at] = nodes
	return nodes, absent(err)
}

// Holding implements liabilities.Source.
func (t *tiles) Holding(leaf liabilities.Hash) (n int64, nodes []byte, err error) {
	err = t.pool.QueryRow(t.ctx, "SELECT n, nodes FROM liability_tiles WHERE id = $1 AND level = 0 AND last >= $2 ORDER BY last LIMIT 1", t.id, leaf[:]).Scan(&n, &nodes)
	return n, nodes, absent(err)
}

func absent(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return liabilities.ErrAbsent
	}
	return err
}
