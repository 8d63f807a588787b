package audit

import (
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/posting"
)

// begin checks the partitions, and loads the accounts' balances from where the attached events begin.
func (w *walk) begin(ctx context.Context, o *outside, opt Options, r *Report) error {
	c := r.check("partitions", "one after another from position 1, as Postgres divides them, and what is kept elsewhere was closed under the ledger's key")
	if err := w.spared(ctx, c, func() error { return w.bounds(ctx, c) }); err != nil {
		return err
	}
	if err := w.spared(ctx, c, func() error { return w.opening(ctx, o, c) }); err != nil {
		return err
	}
	return w.spared(ctx, w.snapshots, func() error { return w.readSnapshots(ctx, opt) })
}

// bounds compares the rows about partitions with the bounds by which Postgres divides the events.
func (w *walk) bounds(ctx context.Context, c *Check) error {
	rows, err := w.side.Query(ctx, `SELECT p.name, p.from_pos, p.to_pos, coalesce(pg_get_expr(k.relpartbound, k.oid), '') FROM ledger_partitions p
		LEFT JOIN pg_class k ON k.oid = to_regclass(p.name) ORDER BY p.from_pos, p.name`)
	if err != nil {
		return err
	}
	var (
		name, bound string
		from, to    int64
		next        int64 = 1
	)
	if _, err := pgx.ForEachRow(rows, []any{&name, &from, &to, &bound}, func() error {
		c.Looked++
		if from != next {
			c.Violate(min(from, next), name, "The partition says that it begins at position %d, and the one before ends at %d.", from, next-1)
		}
		if want := fmt.Sprintf("FOR VALUES FROM ('%d') TO ('%d')", from, to); bound != "" && bound != want {
			c.Violate(from, name, "Its row says positions %d to %d, and Postgres divides it otherwise: %s.", from, to-1, bound)
		}
		next = to
		return nil
	}); err != nil {
		return err
	}
	rows, err = w.side.Query(ctx, `SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass('events')
		AND NOT EXISTS (SELECT FROM ledger_partitions p WHERE to_regclass(p.name) = inhrelid)`)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, []any{&name}, func() error {
		c.Violate(0, name, "The events have a partition that no row tells of.")
		return nil
	})
	return err
}

// opening loads the signed balances from when the detached partitions were closed.
func (w *walk) opening(ctx context.Context, o *outside, c *Check) error {
	var last int64
	here := false
	for _, p := range w.parts {
		switch {
		case p.table != "":
			here = true
		case here:
			c.Violate(p.from, "", "The events at the positions from %d are not here, and earlier ones are.", max(1, p.from))
		case p.to != math.MaxInt64:
			last = p.to
		}
	}
	if last == 0 {
		return nil
	}
	balances, wrong, err := readClosing(ctx, w.side, o.kept, last)
	if err != nil {
		return err
	}
	if w.closed = wrong == nil; wrong != nil {
		c.Violate(last, "ledger_closings", "The events up to this position are not here: %v.", wrong)
		return nil
	}
	for name, kobo := range balances {
		w.accounts[name] = &account{floored: posting.Floored(name), balance: kobo, settled: kobo, pos: last, settledPos: min(last, w.settled)}
	}
	c.Looked += int64(len(balances))
	return nil
}
