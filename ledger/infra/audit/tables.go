package audit

import (
	"context"
	"encoding/binary"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/history"
)

// rows judges the events in this database from one position to another.
func (s *snapshot) rows(ctx context.Context, from, to int64, each func(*judged)) error {
	var w worker
	for _, p := range s.parts {
		if p.table == "" || p.to < from || p.from > to {
			continue
		}
		if err := history.ScanChunks(ctx, s.side, p.table, from, to, func(c history.Chunk) error {
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

// verifyCommands compares the table of commands with the commands in the events, as sets: it looks for the differing
// rows only when the sets differ.
func (w *walk) verifyCommands(ctx context.Context, opt Options, o *outside) error {
	var table, refused digest
	rows, err := w.side.Query(ctx, "SELECT command, pos, events FROM commands", pgx.QueryResultFormats{pgx.BinaryFormatCode})
	if err != nil {
		return noLedger(err)
	}
	defer rows.Close()
	for rows.Next() {
		columns := rows.RawValues() // There are as many as events: scanning them would take as long as reading them.
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
	if err := w.verifyRefusals(ctx, refused); err != nil {
		return err
	}
	return w.verifySeals(ctx, opt.Keys, opt.Sealing, o)
}

// commandsDiffer finds where the table of commands and the events differ.
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

// verifyRefusals checks that each refused command has its answer and no event. It has no event because the table of
// commands, which also lists the refused ones, has one row for each command. This compares sets too.
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

// refusalsDiffer finds where the table of commands and the refusals differ.
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

// verifyAccounts compares the stored balances with those that follow from the settled events.
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
		case (a == nil || a.settledPos == 0) && (w.archived == 0 || w.closed):
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
