package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/jackc/pgx/v5/pgtype"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/event"
)

// errChunk is returned for bytes that COPY does not send.
var errChunk = errors.New("history: scan: a row cannot be read")

// Rows reads the chunk's rows. They share its memory: keeping one keeps all of them.
func (c Chunk) Rows() ([]Row, error) {
	rows := make([]Row, 0, c.n)
	d := decoder{raw: c.raw, text: c.text(), lines: make([]event.Line, 0, 2*c.n)}
	err := d.each(16, func() {
		rows = append(rows, Row{})
		d.row(&rows[len(rows)-1])
	})
	return rows, err
}

// facts appends the facts of a chunk of onlyFacts. They share its memory.
func (c Chunk) facts(facts []Fact) ([]Fact, error) {
	d := decoder{raw: c.raw, text: c.text()}
	err := d.each(7, func() {
		facts = append(facts, Fact{
			Pos: d.int64(), Stream: d.string(), Version: d.int64(), Type: d.string(), EffectiveAt: d.moment(), RecordedAt: d.moment(), Body: d.bytes(),
		})
	})
	return facts, err
}

// text is the chunk's bytes as a string; all strings of its rows are parts of it. It is no copy: nothing writes to a
// chunk while its rows are valid.
func (c Chunk) text() string { return unsafe.String(unsafe.SliceData(c.raw), len(c.raw)) }

// decoder reads fields from COPY's binary rows and remembers whether it met bytes that it cannot read.
type decoder struct {
	raw    []byte
	text   string
	at     int
	lines  []event.Line // Of all rows; each row holds a part.
	broken bool
}

// each calls row at the beginning of every row, which must have that many fields.
func (d *decoder) each(fields int16, row func()) error {
	for d.at < len(d.raw) {
		switch int16(d.uint16()) {
		case -1: // The end.
			return nil
		case fields:
			row()
		default:
			d.broken = true
		}
		if d.broken {
			return errChunk
		}
	}
	return nil
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
		// Encode cannot hold other dimensions, nulls or indexes.
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

func (d *decoder) moment() time.Time { return time.UnixMicro(d.int64() + pgcopy.Epoch).UTC() }
