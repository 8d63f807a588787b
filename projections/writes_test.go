package projections_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
)

var update = flag.Bool("update", false, "write docs/writes.md as it is now")

// writes counts the rows that the read models write for one event.
type writes struct{ inserted, entries, changed int64 }

// A file records each event's cost to the read models, so that a change that raises it is seen.
func TestWhatAnEventWritesIsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	ledgertest.BeforeProviders(t, pool)
	live(t, pool)
	require.NoError(t, engineOn(pool, pool, nil).Prepare(ctx))
	records, err := history.Read(ctx, pool, 0, 1000)
	require.NoError(t, err)
	// The fixture has each member pay once. Usually they have paid before, on that day too.
	contributed := slices.IndexFunc(records, func(r event.Record) bool { return nameOf(t, r) == "ContributionReceived" })
	again := records[contributed]
	again.Pos, again.Command = records[len(records)-1].Pos+1, uuid.New()
	least := map[string]writes{}
	for _, r := range append(records, again) {
		of, w := nameOf(t, r), foldCounted(t, pool, r)
		if was, known := least[of]; !known || w.total() < was.total() {
			least[of] = w
		}
	}
	types := slices.SortedFunc(maps.Keys(least), func(a, b string) int {
		return cmp.Or(cmp.Compare(least[b].total(), least[a].total()), cmp.Compare(a, b))
	})
	var b strings.Builder
	b.WriteString(`# What an event writes

What the read models together write for one event of each type: rows that are new, entries in their indexes (partial
indexes aside), and rows that are changed. It is the least that an event of the type writes in a ledger of every kind of
payment and payout, with the life of an ajo of three seats, and for ContributionReceived a member's second of a day: the
first of an account's day or of a group's month begins a row more. The ledger itself writes one row in events and one in
commands, with three entries, and its part of the tree of hashes.
` + "`go test . -run WhatAnEventWrites -update` in `projections` writes this page.\n\n| event | new rows | index entries | rows changed |\n|---|---:|---:|---:|\n")
	for _, of := range types {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", of, least[of].inserted, least[of].entries, least[of].changed)
	}
	page := filepath.Join("..", "docs", "writes.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "run with -update if it is meant")
}

// live adds the life of an ajo to a ledger.
func live(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	s := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	defer s.Close()
	for _, c := range ledgertest.AjoLife(time.Now()) {
		_, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", Command: c})
		require.NoError(t, err, "%T", c)
	}
}

func (w writes) total() int64 { return w.inserted + w.entries + w.changed }

func nameOf(t *testing.T, r event.Record) string {
	t.Helper()
	m, err := r.Message()
	require.NoError(t, err)
	return string(m.ProtoReflect().Descriptor().Name())
}

// foldCounted folds an event with every model, and counts the writes.
func foldCounted(t *testing.T, pool *pgxpool.Pool, r event.Record) (w writes) {
	t.Helper()
	m, err := r.Message()
	require.NoError(t, err)
	ctx := context.Background()
	require.NoError(t, pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		before, err := written(ctx, tx)
		if err != nil {
			return err
		}
		for _, model := range projections.All() {
			r := r
			r.Type = string(m.ProtoReflect().Descriptor().FullName())
			if slices.Contains(model.Ignores, r.Type) {
				continue
			}
			if _, err := model.Fold(ctx, tx, engine.Part{N: 0, Of: 1}, []engine.Event{{Record: r, Message: m}}); err != nil {
				return fmt.Errorf("%s: %w", model.Name, err)
			}
		}
		after, err := written(ctx, tx)
		w = writes{after.inserted - before.inserted, after.entries - before.entries, after.changed - before.changed}
		return err
	}), "position %d", r.Pos)
	return w
}

// written counts a connection's writes so far.
func written(ctx context.Context, tx pgx.Tx) (w writes, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_ins * (SELECT count(*) FROM pg_index i WHERE i.indrelid = t.relid AND i.indpred IS NULL)), 0),
		coalesce(sum(n_tup_upd + n_tup_del), 0) FROM pg_stat_xact_user_tables t WHERE schemaname = current_schema()`).Scan(&w.inserted, &w.entries, &w.changed)
	return w, err
}
