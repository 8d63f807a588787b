// Package pgcopy writes rows in the binary format of Postgres's COPY, which costs both sides about half as much as
// INSERT.
//
// See https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format".
package pgcopy

import (
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Header is the signature, the flags and the length of the header extension.
const Header = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Epoch is the moment from which Postgres counts, 2000-01-01 UTC, in Unix microseconds.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// Rows are rows being built. The zero value has none. Each row begins with Row and has that many fields, written with
// the method of the column's type; each field has its length before it.
type Rows struct {
	b []byte
	n int
}

// New makes Rows with room for size bytes.
func New(size int) *Rows { return &Rows{b: make([]byte, 0, len(Header)+2+size)} }

// Len is the number of rows.
func (r *Rows) Len() int { return r.n }

// Reset empties it and keeps its memory.
func (r *Rows) Reset() { r.b, r.n = r.b[:0], 0 }

// Row begins a row of so many fields.
func (r *Rows) Row(fields int) {
	r.header()
	r.n++
	r.int16(int16(fields))
}

func (r *Rows) header() {
	if len(r.b) == 0 {
		r.b = append(r.b, Header...)
	}
}

// End returns all rows with the trailer. No row may follow before Reset.
func (r *Rows) End() []byte {
	r.header()
	r.int16(-1)
	return r.b
}

func (r *Rows) int16(n int16) { r.b = binary.BigEndian.AppendUint16(r.b, uint16(n)) }
func (r *Rows) int32(n int32) { r.b = binary.BigEndian.AppendUint32(r.b, uint32(n)) }

// Bigint writes a bigint.
func (r *Rows) Bigint(n int64) {
	r.int32(8)
	r.b = binary.BigEndian.AppendUint64(r.b, uint64(n))
}

// Integer writes an integer.
func (r *Rows) Integer(n int32) {
	r.int32(4)
	r.int32(n)
}

// Smallint writes a smallint.
func (r *Rows) Smallint(n int16) {
	r.int32(2)
	r.int16(n)
}

// Boolean writes a boolean.
func (r *Rows) Boolean(yes bool) {
	r.int32(1)
	if yes {
		r.b = append(r.b, 1)
	} else {
		r.b = append(r.b, 0)
	}
}

// Text writes a text.
func (r *Rows) Text(s string) {
	r.int32(int32(len(s)))
	r.b = append(r.b, s...)
}

// Bytes writes a bytea, or the 16 bytes of a uuid.
func (r *Rows) Bytes(b []byte) {
	r.int32(int32(len(b)))
	r.b = append(r.b, b...)
}

// Timestamptz writes a timestamptz.
func (r *Rows) Timestamptz(t time.Time) { r.Bigint(t.UnixMicro() - Epoch) }

// Null writes nothing into a column of any type.
func (r *Rows) Null() { r.int32(-1) }

// Texts begins a text[] of n elements, which take so many bytes without their lengths. Each is written with Text.
func (r *Rows) Texts(n, bytes int) { r.array(n, pgtype.TextOID, bytes+4*n) }

// Bigints begins a bigint[] of n elements. Each is written with Bigint.
func (r *Rows) Bigints(n int) { r.array(n, pgtype.Int8OID, 12*n) }

// array begins an array of n elements of a type, which take size bytes with their lengths.
func (r *Rows) array(n int, oid uint32, size int) {
	dimensions, header := int32(1), int32(20)
	if n == 0 {
		dimensions, header = 0, 12
	}
	r.int32(header + int32(size))
	r.int32(dimensions)
	r.int32(0) // No nulls.
	r.int32(int32(oid))
	if n > 0 {
		r.int32(int32(n))
		r.int32(1) // The first index.
	}
}
