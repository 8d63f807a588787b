package reserves

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/infra/proofs/liabilities"
)

// madeWithin is how far the time of a commitment may be from when the ledger recorded it.
const madeWithin = 24 * time.Hour

// shown compares the kept commitments with those of the ledger, and the trees of the latest with their roots. first is
// the first position that is not archived.
func (v *verifying) shown(ctx context.Context, all []said, first int64) error {
	var made bool
	if err := v.tx.QueryRow(ctx, "SELECT to_regclass('liabilities') IS NOT NULL").Scan(&made); err != nil || !made {
		return err
	}
	in := map[string]said{}
	for _, one := range all {
		in[one.m.GetReconciliationId()] = one
	}
	rows, err := v.tx.Query(ctx, "SELECT id, position, root, sum_kobo, leaves, key_id, made_at, coalesce(pos, 0) FROM liabilities ORDER BY id DESC")
	if err != nil {
		return err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[commitment])
	if err != nil {
		return err
	}
	v.kept = map[string]bool{}
	for n, c := range list {
		one, is := in[c.ID.String()]
		delete(in, c.ID.String())
		switch {
		case !is && c.Pos < first:
			continue // It is archived, or its proof of reserves came to nothing.
		case !is || !one.shownAs(c, one.pos == all[0].pos):
			v.check.Violate(c.Pos, "reserves:"+c.ID.String(), "What members are shown of it is not what the ledger has.")
		}
		if is && n < treesKept {
			v.kept[c.ID.String()] = true
			if err := v.tree(ctx, one, c.ID); err != nil {
				return err
			}
		}
	}
	for id, one := range in {
		v.check.Violate(one.pos, "reserves:"+id, "The ledger has this commitment, and the row that members are shown is missing.")
	}
	return nil
}

// shownAs reports whether a row says what the ledger has. The latest may not be noted as recorded yet.
func (s said) shownAs(c commitment, latest bool) bool {
	near := func(at time.Time) bool { return c.MadeAt.Sub(at).Abs() < madeWithin }
	return (c.Pos == s.pos || latest && c.Pos == 0) && bytes.Equal(s.m.GetRoot(), c.Root) && s.m.GetSumKobo() == c.Sum && s.m.GetPosition() == c.Position &&
		s.m.GetLeaves() == c.Leaves && s.m.GetKeyId() == c.KeyID && (near(s.recordedAt) || near(s.effectiveAt))
}

// tree compares the kept tiles of a commitment with its root.
func (v *verifying) tree(ctx context.Context, one said, id uuid.UUID) error {
	rows, err := v.tx.Query(ctx, "SELECT level, n, last, nodes FROM liability_tiles WHERE id = $1 ORDER BY level, n", id)
	if err != nil {
		return err
	}
	var tiles []liabilities.Tile
	var tile liabilities.Tile
	var last []byte
	if _, err := pgx.ForEachRow(rows, []any{&tile.Level, &tile.N, &last, &tile.Nodes}, func() error {
		kept := tile
		kept.Nodes = bytes.Clone(tile.Nodes)
		copy(kept.Last[:], last)
		tiles = append(tiles, kept)
		return nil
	}); err != nil {
		return err
	}
	tree, err := liabilities.FromTiles(tiles)
	if err == nil {
		if root := tree.Root(); !bytes.Equal(root.Hash[:], one.m.GetRoot()) || root.Kobo != one.m.GetSumKobo() || tree.Leaves() != one.m.GetLeaves() {
			err = fmt.Errorf("they have %d leaves and another root", tree.Leaves())
		}
	}
	if err != nil {
		v.check.Violate(one.pos, "reserves:"+id.String(), "The kept tiles do not lead to the root that was committed to: %v.", err)
	}
	return nil
}

// keptAccounts compares the kept accounts of a commitment with what each account held at its position.
func (v *verifying) keptAccounts(ctx context.Context, one said, planned []liabilities.Account) error {
	id := one.m.GetReconciliationId()
	if !v.kept[id] {
		return nil
	}
	rows, err := v.tx.Query(ctx, "SELECT account, kobo, parts FROM liability_accounts WHERE id = $1::text::uuid ORDER BY account", id)
	if err != nil {
		return err
	}
	kept, err := pgx.CollectRows(rows, pgx.RowToStructByPos[liabilities.Account])
	if err != nil {
		return err
	}
	slices.SortFunc(planned, func(a, b liabilities.Account) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	for i := range max(len(kept), len(planned)) {
		if i >= len(kept) || i >= len(planned) || kept[i] != planned[i] {
			v.check.Violate(one.pos, "reserves:"+id, "The kept accounts are not what the accounts held at position %d: %d are kept of %d, and number %d differs.", one.m.GetPosition(), len(kept), len(planned), i+1)
			return nil
		}
	}
	return nil
}
