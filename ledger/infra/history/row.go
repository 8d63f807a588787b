package history

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/event"
)

// ErrMalformed is a row of the events that the store did not write.
var ErrMalformed = errors.New("history: a malformed event")

// Columns are the columns of an event that make up a record.
const Columns = "pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances"

// ScanRecord reads a row of Columns.
func ScanRecord(row pgx.CollectableRow) (event.Record, error) {
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
	if len(hash) != len(r.CommandHash) || len(amounts) != len(accounts) || len(balances) != len(accounts) {
		return r, fmt.Errorf("%w: position %d: a row that the store did not write", ErrMalformed, r.Pos)
	}
	copy(r.CommandHash[:], hash)
	r.EffectiveAt, r.RecordedAt = r.EffectiveAt.In(time.UTC), r.RecordedAt.In(time.UTC)
	if len(accounts) > 0 {
		r.Lines = make([]event.Line, len(accounts))
	}
	for i := range accounts {
		r.Lines[i] = event.Line{Account: accounts[i], Amount: money.Kobo(amounts[i]), Balance: money.Kobo(balances[i])}
	}
	return r, nil
}

// WriteRow writes an event as a row of Columns and leaf.
func WriteRow(rows *pgcopy.Rows, r *event.Record, leaf [32]byte) {
	rows.Row(16)
	rows.Bigint(r.Pos)
	rows.Text(r.Stream)
	rows.Bigint(r.Version)
	rows.Text(r.Type)
	rows.Bytes(r.Command[:])
	rows.Smallint(int16(r.Seq))
	rows.Bytes(r.CommandHash[:])
	rows.Text(r.Actor)
	rows.Text(r.Correlation)
	rows.Timestamptz(r.EffectiveAt)
	rows.Timestamptz(r.RecordedAt)
	rows.Bytes(r.Body)
	n, size := len(r.Lines), 0
	for i := range r.Lines {
		size += len(r.Lines[i].Account)
	}
	rows.Texts(n, size)
	for i := range r.Lines {
		rows.Text(r.Lines[i].Account)
	}
	rows.Bigints(n)
	for i := range r.Lines {
		rows.Bigint(int64(r.Lines[i].Amount))
	}
	rows.Bigints(n)
	for i := range r.Lines {
		rows.Bigint(int64(r.Lines[i].Balance))
	}
	rows.Bytes(leaf[:])
}

// Repeated is a text that row after row has: it is stored once.
type Repeated string

// ScanBytes implements pgtype.BytesScanner.
func (r *Repeated) ScanBytes(received []byte) error {
	if string(*r) != string(received) {
		*r = Repeated(received)
	}
	return nil
}
