package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// ErrNotEmpty is returned for a restore into a ledger that has a history already.
var ErrNotEmpty = errors.New("this ledger is not empty: only an empty one can be restored into")

// Restore fills an empty ledger with the records of another, exactly as they were, in one transaction: all of them or
// none. fill calls add with the records from position 1 on, in order, and answers their epoch; its error leaves the
// ledger empty. The caller vouches for the records. partition is as in Postgres. It fails with ErrNotEmpty.
func Restore(ctx context.Context, pool *pgxpool.Pool, partition int64, fill func(add func([]event.Record) error) (epoch int, err error)) error {
	if partition == 0 {
		partition = DefaultPartition
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := mustBeEmpty(ctx, tx); err != nil {
			return err
		}
		r := restoring{ctx: ctx, tx: tx, partition: partition, balances: map[string]money.Kobo{}}
		epoch, err := fill(r.add)
		if err != nil {
			return err
		}
		return r.finish(epoch)
	})
}

func mustBeEmpty(ctx context.Context, tx pgx.Tx) error {
	var empty bool
	// The lock keeps appends out until the end.
	err := tx.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM events) AND NOT EXISTS (SELECT FROM commands)
		AND NOT EXISTS (SELECT FROM ledger_accounts) FROM ledger_gate FOR UPDATE`).Scan(&empty)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42P01" {
		return fmt.Errorf("this database holds no ledger: start adashi on it once (%s)", pg.Message)
	}
	if err == nil && !empty {
		err = ErrNotEmpty
	}
	return err
}

// restoring is a running restore.
type restoring struct {
	ctx       context.Context //nolint:containedctx // It lives as long as one transaction, whose callback takes none.
	tx        pgx.Tx
	partition int64
	room      int64
	last      event.Record
	run       Recorded // The command whose records are being added.
	commands  []Recorded
	balances  map[string]money.Kobo
}

func (r *restoring) add(records []event.Record) error {
	if len(records) == 0 {
		return nil
	}
	w := Writes{Records: make([]*event.Record, len(records)), Leaves: make([][32]byte, len(records))}
	for i := range records {
		one := &records[i]
		if one.Pos != r.last.Pos+1 {
			return fmt.Errorf("store: position %d follows position %d", one.Pos, r.last.Pos)
		}
		w.Records[i], w.Leaves[i] = one, one.Leaf()
		r.command(one)
		for _, line := range one.Lines {
			r.balances[line.Account] = line.Balance
		}
		r.last = *one
	}
	if err := r.extend(r.last.Pos); err != nil {
		return err
	}
	w.Commands, r.commands = r.commands, nil
	if err := copyIn(r.ctx, r.tx.Conn().PgConn(), "", w, ""); err != nil {
		return fmt.Errorf("store: restore positions %d to %d: %w", records[0].Pos, r.last.Pos, refusal(err))
	}
	return nil
}

// extend makes partitions up to a position.
func (r *restoring) extend(upto int64) error {
	if upto <= r.room {
		return nil
	}
	return r.tx.QueryRow(r.ctx, "SELECT ledger_extend($1, $2)", upto, r.partition).Scan(&r.room)
}

func (r *restoring) command(one *event.Record) {
	if one.Command == r.run.Command && r.run.Events > 0 {
		r.run.Events++
		return
	}
	r.ended()
	r.run = Recorded{Command: one.Command, Pos: one.Pos, Events: 1}
}

func (r *restoring) ended() {
	if r.run.Events > 0 {
		r.commands = append(r.commands, r.run)
	}
	r.run = Recorded{}
}

// finish writes the rows that follow from the records.
func (r *restoring) finish(epoch int) error {
	r.ended()
	if err := copyIn(r.ctx, r.tx.Conn().PgConn(), "", Writes{Commands: r.commands}, ""); err != nil {
		return fmt.Errorf("store: restore the last command: %w", refusal(err))
	}
	names := make([]string, 0, len(r.balances))
	for name := range r.balances {
		names = append(names, name)
	}
	if _, err := r.tx.CopyFrom(r.ctx, pgx.Identifier{"ledger_accounts"}, []string{"account", "balance"}, pgx.CopyFromSlice(len(names), func(i int) ([]any, error) {
		return []any{names[i], int64(r.balances[names[i]])}, nil
	})); err != nil {
		return fmt.Errorf("store: restore accounts: %w", refusal(err))
	}
	if r.last.Pos == 0 {
		return nil
	}
	if _, err := r.tx.Exec(r.ctx, "UPDATE ledger_settled SET pos = $1", r.last.Pos); err != nil {
		return err
	}
	_, err := r.tx.Exec(r.ctx, "UPDATE ledger_gate SET epoch = $1", epoch)
	return err
}
