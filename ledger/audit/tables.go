package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/store"
)

// rows judges the events from one position to another that are in this database.
func (s *snapshot) rows(ctx context.Context, from, to int64, each func(*judged)) error {
	var w worker
	for _, p := range s.parts {
		if p.table == "" || p.to < from || p.from > to {
			continue
		}
		if err := store.ScanChunks(ctx, s.side, p.table, from, to, func(c store.Chunk) error {
			all, err := w.judge(c)
			for i := range all {
				each(&all[i])
			}
			return err
		}); err != nil {
			return err
		}
	}
	_, err := s.side.Exec(ctx, "SELECT set_config('enable_sort', 'on', true), set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true)")
	return err
}

// verifyCommands holds the table of commands against the commands that were read. As sets: only when they differ is it
// worth finding out where.
func (w *walk) verifyCommands(ctx context.Context) error {
	var table, refused digest
	rows, err := w.side.Query(ctx, "SELECT command, pos, events FROM commands", pgx.QueryResultFormats{pgx.BinaryFormatCode})
	if err != nil {
		return noLedger(err)
	}
	defer rows.Close()
	for rows.Next() {
		columns := rows.RawValues() // They are as many as the events: scanning them would take as long as reading them.
		id, pos, events := uuid.UUID(columns[0]), int64(binary.BigEndian.Uint64(columns[1])), int16(binary.BigEndian.Uint16(columns[2]))
		switch key := w.hashing.command(id, pos, int(events)); {
		case events == 0:
			refused.add(key)
			continue
		case !w.absent(pos):
			table.add(key)
		}
		w.commandRuns.Looked++
	}
	if err := rows.Err(); err != nil {
		return noLedger(err)
	}
	if table != w.commands {
		if err := w.commandsDiffer(ctx); err != nil {
			return err
		}
	}
	return w.verifyRefusals(ctx, refused)
}

// commandsDiffer finds where the table of commands and the events say different things.
func (w *walk) commandsDiffer(ctx context.Context) error {
	before := w.commandRuns.Violations
	all := w.events()
	for _, q := range []struct{ sql, says string }{
		{
			`SELECT c.pos, c.command FROM commands c WHERE c.events <> 0
			AND (SELECT count(*) FROM ` + all + ` e WHERE e.pos >= c.pos AND e.pos < c.pos + c.events AND e.command = c.command AND e.seq = e.pos - c.pos) <> c.events ORDER BY 1`,
			"The table of commands says that its events begin here, and they do not, or are not so many.",
		},
		{
			`SELECT e.pos, e.command FROM ` + all + ` e WHERE e.seq = 0 AND NOT EXISTS (SELECT FROM commands c WHERE c.command = e.command AND c.pos = e.pos) ORDER BY 1`,
			"The table of commands does not say that its events begin here.",
		},
		{
			`SELECT e.pos, e.command FROM ` + all + ` e JOIN commands c ON c.command = e.command WHERE c.events > 0 AND e.seq = c.events ORDER BY 1`,
			"The table of commands says that it has fewer events.",
		},
	} {
		rows, err := w.side.Query(ctx, q.sql)
		if err != nil {
			return err
		}
		var (
			pos int64
			id  uuid.UUID
		)
		if _, err := pgx.ForEachRow(rows, []any{&pos, &id}, func() error {
			if !w.absent(pos) {
				w.commandRuns.Violate(pos, id.String(), "%s", q.says)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if w.commandRuns.Violations == before {
		w.commandRuns.Violate(0, "commands", "The table of commands is not what the events say.")
	}
	return nil
}

// verifyRefusals holds that a refused command has its answer and no event. That it has none follows from the table of
// commands having one row a command. Refused are those that the table says were. As sets, too.
func (w *walk) verifyRefusals(ctx context.Context, refused digest) error {
	var answered digest
	var id uuid.UUID
	rows, err := w.side.Query(ctx, "SELECT command FROM refusals")
	if err != nil {
		return err
	}
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error {
		answered.add(w.hashing.command(id, 0, 0))
		return nil
	}); err != nil || answered == refused {
		return err
	}
	return w.refusalsDiffer(ctx)
}

// refusalsDiffer finds where the table of commands and the refusals say different things.
func (w *walk) refusalsDiffer(ctx context.Context) error {
	rows, err := w.side.Query(ctx, `SELECT coalesce(c.command, r.command), c.command IS NULL OR c.events <> 0 FROM
		(SELECT * FROM commands WHERE events = 0 OR command IN (SELECT command FROM refusals)) c FULL JOIN refusals r USING (command)
		WHERE c.command IS NULL OR r.command IS NULL OR c.events <> 0 OR c.pos <> 0`)
	if err != nil {
		return err
	}
	var (
		id       uuid.UUID
		recorded bool
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &recorded}, func() error {
		if recorded {
			w.commandRuns.Violate(0, id.String(), "It was refused, and the table of commands does not say so.")
		} else {
			w.commandRuns.Violate(0, id.String(), "The table of commands says that it was refused, and there is no refusal.")
		}
		return nil
	})
	return err
}

// verifyAccounts holds the balances that are kept against those that follow from the events they were settled by.
func (w *walk) verifyAccounts(ctx context.Context, c *Check) error {
	rows, err := w.side.Query(ctx, "SELECT account, balance FROM ledger_accounts")
	if err != nil {
		return err
	}
	var (
		name  string
		kobo  money.Kobo
		total money.Kobo
	)
	if _, err := pgx.ForEachRow(rows, []any{&name, &kobo}, func() error {
		c.Looked++
		total += kobo
		a := w.accounts[name]
		switch {
		case (a == nil || a.settledPos == 0) && w.archived == 0:
			c.Violate(0, name, "The account holds %s, and no event is posted to it.", kobo)
			return nil
		case a != nil && a.settled != kobo:
			c.Violate(a.settledPos, name, "The account holds %s, and after its last event, at this position, it has %s.", kobo, a.settled)
		}
		delete(w.accounts, name)
		return nil
	}); err != nil {
		return err
	}
	for name, a := range w.accounts {
		if a.settledPos > 0 {
			c.Violate(a.settledPos, name, "The account is not in the table, and after its last event, at this position, it has %s.", a.settled)
		}
	}
	if total != 0 {
		c.Violate(0, "ledger_accounts", "All accounts together hold %s instead of nothing.", total)
	}
	return nil
}

// snapshotsTried is how many snapshots are folded afresh unless all are, and how many are read at a time.
const snapshotsTried = 500

// verifySnapshots holds written-down states against a fresh fold of their streams.
func (w *walk) verifySnapshots(ctx context.Context, opt Options, c *Check) error {
	if !opt.Deep {
		_, err := w.verifySnapshotsOf(ctx, opt, c, "ORDER BY hashtextextended(stream, extract(epoch FROM now())::bigint) LIMIT $1", snapshotsTried)
		return err
	}
	last, err := w.verifySnapshotsOf(ctx, opt, c, "ORDER BY stream, fold LIMIT $1", snapshotsTried)
	for err == nil && last != nil {
		last, err = w.verifySnapshotsOf(ctx, opt, c, "WHERE (stream, fold) > ($2, $3) ORDER BY stream, fold LIMIT $1", snapshotsTried, last.Stream, last.Fold)
	}
	return err
}

// verifySnapshotsOf verifies the snapshots of a query and answers the last; nil when there is none.
func (w *walk) verifySnapshotsOf(ctx context.Context, opt Options, c *Check, which string, args ...any) (*store.Snapshot, error) {
	rows, err := w.side.Query(ctx, "SELECT stream, fold, version, state FROM snapshots "+which, args...)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.Snapshot])
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, one := range all {
		a, folds := aggregateOf(opt.Aggregates, one.Stream)
		if !folds {
			c.Violate(0, one.Stream, "There is a snapshot of a stream that nothing folds.")
			continue
		}
		if a.Fold != one.Fold {
			continue // Nobody reads those of another fold.
		}
		if err := w.verifySnapshot(ctx, a, one, c); err != nil {
			return nil, err
		}
	}
	return &all[len(all)-1], nil
}

func aggregateOf(aggregates []event.Aggregate, stream string) (event.Aggregate, bool) {
	for _, a := range aggregates {
		if a.Category == categoryOf(stream) {
			return a, true
		}
	}
	return event.Aggregate{}, false
}

func (w *walk) verifySnapshot(ctx context.Context, a event.Aggregate, one store.Snapshot, c *Check) error {
	rows, err := w.side.Query(ctx, `SELECT pos, version, type, effective_at, recorded_at, body FROM `+w.events()+` e
		WHERE `+store.OfStream("$1::text")+` AND version <= $2 ORDER BY version`, one.Stream, one.Version)
	if err != nil {
		return err
	}
	state, version := a.Zero, int64(0)
	var r event.Record
	var broken error
	if _, err := pgx.ForEachRow(rows, []any{&r.Pos, &r.Version, &r.Type, &r.EffectiveAt, &r.RecordedAt, &r.Body}, func() error {
		if broken != nil {
			return nil
		}
		if r.Version != version+1 {
			broken = fmt.Errorf("version %d follows version %d", r.Version, version)
			return nil
		}
		version = r.Version
		m, err := r.Message()
		if err != nil {
			broken = err
			return nil
		}
		state = a.Evolve(state, event.Happened{Message: m, EffectiveAt: r.EffectiveAt.UTC(), RecordedAt: r.RecordedAt.UTC()})
		return nil
	}); err != nil {
		return err
	}
	if (broken != nil || version < one.Version) && w.archived > 0 {
		return nil // Its stream begins in an archive that is kept elsewhere.
	}
	c.Looked++
	frozen, err := a.Freeze(state)
	switch {
	case broken != nil:
		c.Violate(r.Pos, one.Stream, "The stream cannot be folded: %v.", broken)
	case err != nil:
		return err
	case version < one.Version:
		c.Violate(r.Pos, one.Stream, "There is a snapshot of version %d, and the stream ends at version %d.", one.Version, version)
	case !bytes.Equal(frozen, one.State):
		c.Violate(r.Pos, one.Stream, "The snapshot of version %d is not what its events come to.", one.Version)
	}
	return nil
}
