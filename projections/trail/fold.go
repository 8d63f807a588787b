package trail

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// Key is a subject's key in rows: the first 8 bytes of a hash. Among a hundred million subjects two share a key in one
// of three thousand ledgers.
func Key(kind Kind, id string) int64 {
	text := make([]byte, 0, 128)
	text = append(text, "adashi trail v1\x00"...)
	text = append(text, kind...)
	text = append(text, ':')
	text = append(text, id...)
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// row is a row of rm_trail.
type row struct{ subject, mark int64 }

// markOf is an event's mark: see tables.sql.
func markOf(e engine.Event) int64 {
	mark := 2 * e.Pos
	if !e.EffectiveAt.Equal(e.RecordedAt) {
		mark++
	}
	return mark
}

// folding collects the rows of a batch.
type folding struct {
	rows   []row
	opened map[string]string // The groups of pools that were opened in the batch.
	lost   []lost            // Marks whose groups must still be found.
}

// lost is a mark of an event that moves a pool and does not name its group.
type lost struct {
	pool string
	mark int64
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := folding{opened: map[string]string{}}
	for i := range events {
		f.take(events[i])
	}
	if err := f.pools(ctx, tx); err != nil {
		return engine.Changes{}, err
	}
	// In the order of the primary key, which costs its index the least.
	slices.SortFunc(f.rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.subject, b.subject), cmp.Compare(a.mark, b.mark)) })
	f.rows = slices.Compact(f.rows)
	return engine.Changes{}, write.Copy(ctx, tx, "rm_trail", "subject, mark", func(rows *pgcopy.Rows, fields int) {
		for _, r := range f.rows {
			rows.Row(fields)
			rows.Bigint(r.subject)
			rows.Bigint(r.mark)
		}
	})
}

// take notes the subjects that an event names, in its message and by the accounts that it moves.
func (f *folding) take(e engine.Event) {
	mark := markOf(e)
	add := func(kind Kind, id string) { f.rows = append(f.rows, row{Key(kind, id), mark}) }
	eachNamed(e.Message, add)
	if opened, ok := e.Message.(*nairav1.SubAccountOpened); ok {
		f.opened[opened.GetSubAccountId()] = opened.GetGroupId()
	}
	for _, line := range e.Lines {
		account := strings.TrimPrefix(line.Account, "held:")
		kind, id, _ := strings.Cut(account, ":")
		switch kind {
		case "wallet", "owed":
			add(Member, id)
		case "pot":
			ajo, _, _ := strings.Cut(id, ":")
			add(Ajo, ajo)
		case "deposit":
			ajo, user, _ := strings.Cut(id, ":")
			add(Ajo, ajo)
			add(Member, user)
		case "pool":
			if named, ok := e.Message.(interface{ GetGroupId() string }); !ok || named.GetGroupId() == "" {
				f.lost = append(f.lost, lost{id, mark})
			}
		}
	}
}

// pools stores the groups of newly opened pools, and finds the groups of pools that were moved without a name.
func (f *folding) pools(ctx context.Context, tx pgx.Tx) error {
	if len(f.opened) > 0 {
		batch := &pgx.Batch{}
		for _, id := range slices.Sorted(maps.Keys(f.opened)) {
			batch.Queue("INSERT INTO rm_trail_pools (sub_account_id, group_id) VALUES ($1, $2)", id, f.opened[id])
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
	}
	if len(f.lost) == 0 {
		return nil
	}
	ids := make([]string, len(f.lost))
	for i := range f.lost {
		ids[i] = f.lost[i].pool
	}
	rows, err := tx.Query(ctx, "SELECT sub_account_id, group_id FROM rm_trail_pools WHERE sub_account_id = ANY($1)", ids)
	if err != nil {
		return err
	}
	groups := map[string]string{}
	var id, group string
	if _, err := pgx.ForEachRow(rows, []any{&id, &group}, func() error {
		groups[id] = group
		return nil
	}); err != nil {
		return err
	}
	for _, l := range f.lost {
		if group := groups[l.pool]; group != "" {
			f.rows = append(f.rows, row{Key(Group, group), l.mark})
		}
	}
	return nil
}
