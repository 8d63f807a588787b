package store

import (
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
)

// row is a record ready to be written.
type row struct {
	*event.Record
	leaf [32]byte
}

func kobo(n int64) money.Kobo { return money.Kobo(n) }

// The lines go over as array literals, because unnest would flatten an array of arrays.
const insertEvents = `INSERT INTO events (pos, stream, version, type, command, seq, command_hash, actor, correlation,
	effective_at, recorded_at, body, leaf, accounts, amounts, balances)
SELECT pos, stream, version, type, command, seq, command_hash, actor, correlation,
	effective_at, recorded_at, body, leaf, accounts::text[], amounts::bigint[], balances::bigint[]
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::uuid[], $6::smallint[], $7::bytea[], $8::text[], $9::text[],
	$10::timestamptz[], $11::timestamptz[], $12::bytea[], $13::bytea[], $14::text[], $15::text[], $16::text[])
	AS e (pos, stream, version, type, command, seq, command_hash, actor, correlation,
		effective_at, recorded_at, body, leaf, accounts, amounts, balances)`

// queueEvents writes the batch's events in one statement and answers how many they are.
func queueEvents(pipeline *pgx.Batch, batch []*waiting) int {
	n := 0
	for _, w := range batch {
		n += len(w.rows)
	}
	if n == 0 {
		return 0
	}
	var (
		pos, version                                                 = make([]int64, 0, n), make([]int64, 0, n)
		seq                                                          = make([]int16, 0, n)
		stream, typ, actor, correlation, accounts, amounts, balances = strs(n), strs(n), strs(n), strs(n), strs(n), strs(n), strs(n)
		command                                                      = make([][16]byte, 0, n)
		hash, body, leaf                                             = make([][]byte, 0, n), make([][]byte, 0, n), make([][]byte, 0, n)
		effective, recorded                                          = make([]time.Time, 0, n), make([]time.Time, 0, n)
	)
	for _, w := range batch {
		for i := range w.rows {
			r := &w.rows[i]
			pos, version, seq = append(pos, r.Pos), append(version, r.Version), append(seq, int16(r.Seq))
			stream, typ = append(stream, r.Stream), append(typ, r.Type)
			actor, correlation = append(actor, r.Actor), append(correlation, r.Correlation)
			command = append(command, [16]byte(r.Command))
			hash, body, leaf = append(hash, r.CommandHash[:]), append(body, r.Body), append(leaf, r.leaf[:])
			effective, recorded = append(effective, r.EffectiveAt), append(recorded, r.RecordedAt)
			a, m, b := literals(r.Lines)
			accounts, amounts, balances = append(accounts, a), append(amounts, m), append(balances, b)
		}
	}
	pipeline.Queue(insertEvents, pos, stream, version, typ, command, seq, hash, actor, correlation,
		effective, recorded, body, leaf, accounts, amounts, balances)
	return n
}

func strs(n int) []string { return make([]string, 0, n) }

// literals are the lines as three array literals. Account names need no quoting: they are made of ids.
func literals(lines []event.Line) (accounts, amounts, balances string) {
	var a, m, b strings.Builder
	for i, line := range lines {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		a.WriteString(separator + line.Account)
		m.WriteString(separator + strconv.FormatInt(int64(line.Amount), 10))
		b.WriteString(separator + strconv.FormatInt(int64(line.Balance), 10))
	}
	if len(lines) == 0 {
		return "{}", "{}", "{}"
	}
	return a.String() + "}", m.String() + "}", b.String() + "}"
}

// queueBalances adds the batch's changes to the account rows. They are added, not set: a balance that the memory had
// wrong meets the table's own floor.
func (s *Store) queueBalances(pipeline *pgx.Batch) {
	if len(s.memory.created) > 0 {
		floored := make([]bool, len(s.memory.created))
		for i, account := range s.memory.created {
			floored[i] = posting.Floored(account)
		}
		pipeline.Queue("INSERT INTO ledger_accounts (account, balance, floored) SELECT a, 0, f FROM unnest($1::text[], $2::boolean[]) AS n (a, f)",
			append([]string(nil), s.memory.created...), floored)
	}
	if len(s.memory.changed) == 0 {
		return
	}
	accounts, deltas := strs(len(s.memory.changed)), make([]int64, 0, len(s.memory.changed))
	for account, delta := range s.memory.changed {
		accounts, deltas = append(accounts, account), append(deltas, int64(delta))
	}
	pipeline.Queue("UPDATE ledger_accounts a SET balance = a.balance + c.delta FROM unnest($1::text[], $2::bigint[]) AS c (account, delta) WHERE a.account = c.account",
		accounts, deltas)
}

// queueRemembered writes the batch's refusals that came with a key, and answers how many they are.
func queueRemembered(pipeline *pgx.Batch, batch []*waiting, at time.Time) int {
	n := 0
	for _, w := range batch {
		if !w.refused {
			continue
		}
		n++
		f := fault.As(w.outcome.err)
		pipeline.Queue("INSERT INTO refusals (command, command_hash, code, message, field, recorded_at) VALUES ($1, $2, $3, $4, $5, $6)",
			w.command.ID, w.command.Hash[:], string(f.Code), f.Message, f.Field, at)
	}
	return n
}
