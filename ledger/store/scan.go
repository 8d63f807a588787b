package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
)

// Row is an event as it is stored.
type Row struct {
	event.Record
	Leaf []byte // As stored: the hash of the record, unless somebody changed either.
	// Malformed says how the columns hold something that a Record cannot tell, such as a command hash of 15 bytes; empty
	// for what the store wrote.
	Malformed string
}

// chunkBytes is how much is read before it is handed over.
const chunkBytes = 1 << 20

// Chunk is stored events as Postgres sent them. Rows reads it.
type Chunk struct {
	raw []byte
	n   int // How many rows, about.
}

// Scan reads the records from one position to another, both included, in order, in batches, as fast as the machine
// can: with COPY, over a connection that does nothing else meanwhile. A batch may be kept. It fails with an
// *ArchivedError where events are archived or missing. When each fails the scan ends with its error.
func Scan(ctx context.Context, conn *pgx.Conn, from, to int64, each func([]event.Record) error) error {
	next := from
	err := ScanChunks(ctx, conn, "events", from, to, func(c Chunk) error {
		rows, err := c.Rows()
		if err != nil {
			return err
		}
		records := make([]event.Record, len(rows))
		for i := range rows {
			if rows[i].Pos != next {
				return &ArchivedError{From: next, To: rows[i].Pos - 1}
			}
			if rows[i].Malformed != "" {
				return fmt.Errorf("store: position %d: %s", next, rows[i].Malformed)
			}
			records[i] = rows[i].Record
			next++
		}
		if len(records) == 0 {
			return nil
		}
		return each(records)
	})
	if err == nil && next <= to {
		err = &ArchivedError{From: next, To: to}
	}
	return err
}

// ScanChunks reads the rows of a table of events, which may be one of its partitions, from one position to another,
// both included, in order. It leaves the reading of the chunks to the caller, who may do it elsewhere and later. Gaps
// are not its concern.
func ScanChunks(ctx context.Context, conn *pgx.Conn, table string, from, to int64, each func(Chunk) error) error {
	if conn.PgConn().TxStatus() == 'I' {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			return ScanChunks(ctx, tx.Conn(), table, from, to, each)
		})
	}
	// The primary key has the order already; a plan made without statistics would sort instead.
	const ordered = "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"
	if _, err := conn.Exec(ctx, ordered); err != nil {
		return fmt.Errorf("store: scan from %d to %d: %w", from, to, err)
	}
	w := &chunker{each: each}
	sql := fmt.Sprintf("COPY (SELECT %s, leaf FROM %s WHERE pos BETWEEN %d AND %d ORDER BY pos) TO STDOUT (FORMAT binary)",
		columns, pgx.Identifier{table}.Sanitize(), from, to)
	if _, err := conn.PgConn().CopyTo(ctx, w, sql); err != nil {
		if w.err != nil {
			return w.err // What the caller failed with, not what became of the connection.
		}
		return fmt.Errorf("store: scan from %d to %d: %w", from, to, err)
	}
	return w.flush()
}

// copyHeader is the signature, the flags and the length of what follows them, of COPY's binary format.
const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// chunker cuts COPY's messages into chunks. A message holds a whole row; the first one the header too.
type chunker struct {
	chunk Chunk
	began bool
	err   error
	each  func(Chunk) error
}

// Write implements io.Writer.
func (w *chunker) Write(message []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n := len(message)
	if !w.began {
		if n < len(copyHeader) || string(message[:len(copyHeader)]) != copyHeader {
			w.err = errors.New("store: scan: not COPY's binary format")
			return 0, w.err
		}
		w.began, message = true, message[len(copyHeader):]
	}
	if w.chunk.raw == nil {
		w.chunk.raw = make([]byte, 0, chunkBytes+chunkBytes/8)
	}
	w.chunk.raw = append(w.chunk.raw, message...)
	w.chunk.n++
	if len(w.chunk.raw) >= chunkBytes {
		w.err = w.flush()
	}
	return n, w.err
}

func (w *chunker) flush() error {
	c := w.chunk
	w.chunk = Chunk{}
	if len(c.raw) == 0 {
		return nil
	}
	return w.each(c)
}

// errChunk is returned for bytes that COPY does not send.
var errChunk = errors.New("store: scan: a row cannot be read")

// Rows reads the chunk's rows. They share its memory: keeping one keeps all of them.
func (c Chunk) Rows() ([]Row, error) {
	rows := make([]Row, 0, c.n)
	lines := make([]event.Line, 0, 2*c.n)
	// All strings of the chunk are parts of one, which is copied at once.
	d := decoder{raw: c.raw, text: string(c.raw), lines: lines}
	for d.at < len(d.raw) {
		switch fields := int16(d.uint16()); fields {
		case -1: // The end.
			return rows, nil
		case 16:
			rows = append(rows, Row{})
			d.row(&rows[len(rows)-1])
		default:
			d.broken = true
		}
		if d.broken {
			return nil, errChunk
		}
	}
	return rows, nil
}

// decoder reads fields off COPY's binary rows and remembers having met what it cannot read.
type decoder struct {
	raw    []byte
	text   string
	at     int
	lines  []event.Line // Of all rows; each row holds a part.
	broken bool
}

func (d *decoder) row(r *Row) {
	r.Pos = d.int64()
	r.Stream = d.string()
	r.Version = d.int64()
	r.Type = d.string()
	copy(r.Command[:], d.exactly(16))
	if seq := d.exactly(2); len(seq) == 2 {
		r.Seq = int(int16(binary.BigEndian.Uint16(seq)))
	}
	hash := d.bytes()
	if len(hash) != 16 {
		r.Malformed = fmt.Sprintf("its command hash has %d bytes instead of 16", len(hash))
	}
	copy(r.CommandHash[:], hash)
	r.Actor = d.string()
	r.Correlation = d.string()
	r.EffectiveAt, r.RecordedAt = d.moment(), d.moment()
	r.Body = d.bytes()
	d.postings(r)
	r.Leaf = d.bytes()
}

// postings reads the three arrays of an event's lines.
func (d *decoder) postings(r *Row) {
	start := len(d.lines)
	n := d.array(r, pgtype.TextOID)
	for range n {
		d.lines = append(d.lines, event.Line{Account: d.string()})
	}
	if n > 0 {
		r.Lines = d.lines[start:len(d.lines):len(d.lines)]
	}
	for _, column := range []func(*event.Line, money.Kobo){setAmount, setBalance} {
		m := d.array(r, pgtype.Int8OID)
		for i := range m {
			kobo := money.Kobo(d.int64())
			if i < n {
				column(&r.Lines[i], kobo)
			}
		}
		if m != n {
			r.Malformed = fmt.Sprintf("it has %d accounts and %d of their amounts or balances", n, m)
		}
	}
}

func setAmount(line *event.Line, kobo money.Kobo)  { line.Amount = kobo }
func setBalance(line *event.Line, kobo money.Kobo) { line.Balance = kobo }

// array reads the head of an array and answers how many elements follow.
func (d *decoder) array(r *Row, oid uint32) int {
	size := int(int32(d.uint32()))
	if size < 0 {
		d.broken = true
		return 0
	}
	end := d.at + size
	dimensions, nulls, elements := d.uint32(), d.uint32(), d.uint32()
	if dimensions == 0 {
		return 0
	}
	n, first := int(d.uint32()), d.uint32()
	if dimensions != 1 || nulls != 0 || elements != oid || first != 1 || n > size {
		// Nothing that Encode knows: other dimensions, nulls or indexes.
		r.Malformed = "its lines are not plain lists"
		d.at = min(end, len(d.raw))
		return 0
	}
	return n
}

// take answers the next n bytes, or notes that there are none.
func (d *decoder) take(n int) []byte {
	if d.broken || n < 0 || n > len(d.raw)-d.at {
		d.broken = true
		return nil
	}
	d.at += n
	return d.raw[d.at-n : d.at : d.at]
}

func (d *decoder) uint16() uint16 {
	if b := d.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) bytes() []byte { return d.take(int(int32(d.uint32()))) }

// exactly reads a field of a fixed width.
func (d *decoder) exactly(n int) []byte {
	if int(d.uint32()) != n {
		d.broken = true
	}
	return d.take(n)
}

func (d *decoder) int64() int64 {
	if b := d.exactly(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) string() string {
	n := int(int32(d.uint32()))
	if d.take(n) == nil {
		return ""
	}
	return d.text[d.at-n : d.at]
}

func (d *decoder) moment() time.Time { return time.UnixMicro(d.int64() + postgresEpoch).UTC() }
