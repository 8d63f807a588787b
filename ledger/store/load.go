package store

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
)

// queueMissing asks for the streams and accounts that the batch names and the memory lacks.
func (s *Store) queueMissing(pipeline *pgx.Batch, batch []*waiting) {
	streams, accounts := s.missing(batch)
	if len(streams) > 0 {
		const query = "SELECT pos, stream, version, type, effective_at, recorded_at, body FROM events WHERE stream = ANY($1) ORDER BY stream, version"
		pipeline.Queue(query, streams).Query(func(rows pgx.Rows) error {
			for _, name := range streams {
				a, err := s.fold(name)
				if err != nil {
					continue // Its command fails alone, when it is decided.
				}
				s.memory.streams.put(name, stream{state: a.Zero})
			}
			return s.foldRows(rows)
		})
	}
	if len(accounts) > 0 {
		pipeline.Queue("SELECT account, balance FROM ledger_accounts WHERE account = ANY($1)", accounts).Query(func(rows pgx.Rows) error {
			for _, name := range accounts {
				s.memory.accounts.put(name, balance{})
			}
			var (
				name string
				b    = balance{exists: true}
			)
			_, err := pgx.ForEachRow(rows, []any{&name, &b.amount}, func() error {
				s.memory.accounts.put(name, b)
				return nil
			})
			return err
		})
	}
}

func (s *Store) foldRows(rows pgx.Rows) error {
	var r event.Record
	_, err := pgx.ForEachRow(rows, []any{&r.Pos, &r.Stream, &r.Version, &r.Type, &r.EffectiveAt, &r.RecordedAt, &r.Body}, func() error {
		a, err := s.fold(r.Stream)
		if err != nil {
			return err
		}
		e, _ := s.memory.streams.get(r.Stream)
		if e.state, err = evolve(a, e.state, &r); err != nil {
			return err
		}
		e.version = r.Version
		s.memory.streams.put(r.Stream, e)
		return nil
	})
	return err
}

func (s *Store) missing(batch []*waiting) (streams, accounts []string) {
	seen := map[string]bool{}
	for _, w := range batch {
		for _, name := range w.command.Streams() {
			if _, ok := s.memory.streams.get(name); !ok && !seen[name] {
				seen[name] = true
				streams = append(streams, name)
			}
		}
		for _, name := range w.command.Accounts() {
			if _, ok := s.memory.accounts.get(name); !ok && !seen["account "+name] {
				seen["account "+name] = true
				accounts = append(accounts, name)
			}
		}
	}
	return streams, accounts
}

// queueKeys asks which of the batch's commands were recorded before.
func (s *Store) queueKeys(pipeline *pgx.Batch, batch []*waiting) {
	query := "SELECT " + columns + " FROM events WHERE command = ANY($1) ORDER BY pos"
	pipeline.Queue(query, ids(batch, false)).Query(func(rows pgx.Rows) error {
		records, err := pgx.CollectRows(rows, scanRecord)
		if err != nil {
			return err
		}
		for _, r := range records {
			k := s.memory.keys[r.Command]
			k.hash, k.records = r.CommandHash, append(k.records, r)
			s.memory.keys[r.Command] = k
		}
		return nil
	})
}

// queueRefusals asks which of the batch's keyed commands were refused before.
func (s *Store) queueRefusals(pipeline *pgx.Batch, batch []*waiting) {
	keyed := ids(batch, true)
	if len(keyed) == 0 {
		return
	}
	pipeline.Queue("SELECT command, command_hash, code, message, field FROM refusals WHERE command = ANY($1)", keyed).Query(func(rows pgx.Rows) error {
		var (
			id   uuid.UUID
			hash []byte
			f    fault.Fault
		)
		_, err := pgx.ForEachRow(rows, []any{&id, &hash, &f.Code, &f.Message, &f.Field}, func() error {
			remembered := f
			s.memory.remember(id, known{hash: [16]byte(hash), err: &remembered})
			return nil
		})
		return err
	})
}

func ids(batch []*waiting, keyedOnly bool) [][16]byte {
	out := make([][16]byte, 0, len(batch))
	for _, w := range batch {
		if w.command.Keyed || !keyedOnly {
			out = append(out, w.command.ID)
		}
	}
	return out
}

const columns = "pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances"

// scanRecord reads a row of columns.
func scanRecord(row pgx.CollectableRow) (event.Record, error) {
	var (
		r                 event.Record
		hash              []byte
		accounts          []string
		amounts, balances []int64
	)
	err := row.Scan(&r.Pos, &r.Stream, &r.Version, &r.Type, &r.Command, &r.Seq, &hash, &r.Actor, &r.Correlation,
		&r.EffectiveAt, &r.RecordedAt, &r.Body, &accounts, &amounts, &balances)
	if err != nil {
		return r, err
	}
	copy(r.CommandHash[:], hash)
	r.EffectiveAt, r.RecordedAt = r.EffectiveAt.In(time.UTC), r.RecordedAt.In(time.UTC)
	if len(accounts) > 0 {
		r.Lines = make([]event.Line, len(accounts))
	}
	for i := range accounts {
		r.Lines[i] = event.Line{Account: accounts[i], Amount: kobo(amounts[i]), Balance: kobo(balances[i])}
	}
	return r, nil
}
