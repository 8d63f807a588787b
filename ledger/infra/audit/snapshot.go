package audit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/infra/history"
)

// snapshot is the database at one moment, over two connections: one that reads the events, one for everything else.
type snapshot struct {
	scan, side *pgx.Conn
	close      func()

	epoch   int
	head    int64
	settled int64 // The position that the stored balances include.
	sealed  int64 // The size of the latest checkpoint.
	parts   []part
	tables  map[string]bool // The optional tables that this ledger has.
	unread  unread          // The damaged part of the events.
	damaged string          // Why the checkpoints cannot be read; empty when they can.
}

// part is a range of positions and the table to read it from; none when it is not in this database.
type part struct {
	table    string
	from, to int64 // To is included.
}

// open takes the snapshot.
func open(ctx context.Context, pool *pgxpool.Pool) (*snapshot, error) {
	s := &snapshot{close: func() {}}
	for _, conn := range []**pgx.Conn{&s.scan, &s.side} {
		own, end, err := apart.Connect(ctx, pool)
		if err != nil {
			s.close()
			return nil, fmt.Errorf("the database does not answer: %w", err)
		}
		*conn = own
		before := s.close
		s.close = func() { end(); before() }
	}
	if err := s.begin(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *snapshot) begin(ctx context.Context) error {
	// A limit meant for requests must not end a verification that takes a day.
	const begin = "begin isolation level repeatable read read only; set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0"
	if _, err := s.scan.Exec(ctx, begin); err != nil {
		return err
	}
	var id string
	if err := s.scan.QueryRow(ctx, "SELECT pg_export_snapshot()").Scan(&id); err != nil {
		return err
	}
	if _, err := s.side.Exec(ctx, "begin isolation level repeatable read read only; set transaction snapshot '"+id+"'; set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0"); err != nil {
		return err
	}
	// Settled events existed: if the events end before them, the rest was cut off.
	if err := s.side.QueryRow(ctx, "SELECT h.epoch, greatest(h.pos, s.pos), s.pos FROM ledger_head h, ledger_settled s").Scan(&s.epoch, &s.head, &s.settled); err != nil {
		return noLedger(err)
	}
	s.tables = map[string]bool{}
	for _, table := range []string{"ledger_epochs", "ledger_checkpoints", "ledger_baselines"} {
		var there bool
		if err := s.side.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", table).Scan(&there); err != nil {
			return err
		}
		s.tables[table] = there
	}
	if s.tables["ledger_checkpoints"] {
		var err error
		if s.damaged, err = spare(ctx, s.side, func() error {
			return s.side.QueryRow(ctx, "SELECT coalesce(max(size), 0) FROM ledger_checkpoints").Scan(&s.sealed)
		}); err != nil {
			return err
		}
		s.tables["ledger_checkpoints"] = s.damaged == ""
	}
	return s.readParts(ctx)
}

// noLedger is the error for a database without a ledger.
func noLedger(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42P01" {
		return fmt.Errorf("this database holds no ledger: start adashi on it once (%s)", pg.Message)
	}
	return err
}

// readParts finds the table of each position's row, or that it is kept elsewhere.
func (s *snapshot) readParts(ctx context.Context) error {
	rows, err := s.side.Query(ctx, `SELECT name, from_pos, to_pos, EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(name) AND NOT inhdetachpending),
		to_regclass(name) IS NOT NULL FROM ledger_partitions ORDER BY from_pos`)
	if err != nil {
		return noLedger(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[history.Partition])
	if err != nil {
		return err
	}
	for _, p := range all {
		next := part{from: p.From, to: p.To - 1}
		switch {
		case p.Attached:
			next.table = "events"
		case p.Present:
			next.table = p.Name
		}
		if last := len(s.parts) - 1; last >= 0 && next.table == "events" && s.parts[last].table == "events" {
			s.parts[last].to = next.to
			continue
		}
		s.parts = append(s.parts, next)
	}
	if len(s.parts) == 0 {
		s.parts = []part{{table: "events"}}
	}
	s.parts[0].from = math.MinInt64 // Also rows that must not be there.
	s.parts[len(s.parts)-1].to = math.MaxInt64
	return nil
}

// absent reports whether a position's partition is kept elsewhere.
func (s *snapshot) absent(pos int64) bool {
	for _, p := range s.parts {
		if p.from <= pos && pos <= p.to {
			return p.table == ""
		}
	}
	return false
}

// events is a FROM item of all events that are in this database.
func (s *snapshot) events() string {
	seen, tables := map[string]bool{}, []string{}
	for _, p := range s.parts {
		if p.table != "" && !seen[p.table] {
			seen[p.table] = true
			tables = append(tables, "TABLE "+pgx.Identifier{p.table}.Sanitize())
		}
	}
	return "(" + strings.Join(tables, " UNION ALL ") + ")"
}
