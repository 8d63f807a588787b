package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"adashi.ng/ledger/event"
)

// copyEvents writes the events with COPY in Postgres's binary format, which costs the server less than INSERT. What is
// to come before goes in the same request.
// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"
func copyEvents(ctx context.Context, conn *pgconn.PgConn, before string, w Writes) error {
	c := copying{make([]byte, 0, 64+512*len(w.Records))}
	c.b = append(c.b, "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	for i, r := range w.Records {
		c.record(r, w.Leaves[i])
	}
	c.int16(-1)
	_, err := conn.CopyFrom(ctx, bytes.NewReader(c.b), before+"COPY events ("+columns+", leaf) FROM STDIN (FORMAT binary)")
	return err
}

// copying is rows in the binary format: each field has its length before it.
type copying struct{ b []byte }

func (c *copying) record(r *event.Record, leaf [32]byte) {
	c.int16(16)
	c.bigint(r.Pos)
	c.text(r.Stream)
	c.bigint(r.Version)
	c.text(r.Type)
	c.bytes(r.Command[:])
	c.int32(2)
	c.int16(int16(r.Seq))
	c.bytes(r.CommandHash[:])
	c.text(r.Actor)
	c.text(r.Correlation)
	c.moment(r.EffectiveAt)
	c.moment(r.RecordedAt)
	c.bytes(r.Body)
	n := len(r.Lines)
	size := 0
	for i := range r.Lines {
		size += 4 + len(r.Lines[i].Account)
	}
	c.array(n, pgtype.TextOID, size)
	for i := range r.Lines {
		c.text(r.Lines[i].Account)
	}
	c.array(n, pgtype.Int8OID, 12*n)
	for i := range r.Lines {
		c.bigint(int64(r.Lines[i].Amount))
	}
	c.array(n, pgtype.Int8OID, 12*n)
	for i := range r.Lines {
		c.bigint(int64(r.Lines[i].Balance))
	}
	c.bytes(leaf[:])
}

func (c *copying) int16(n int16) { c.b = binary.BigEndian.AppendUint16(c.b, uint16(n)) }
func (c *copying) int32(n int32) { c.b = binary.BigEndian.AppendUint32(c.b, uint32(n)) }

func (c *copying) bigint(n int64) {
	c.int32(8)
	c.b = binary.BigEndian.AppendUint64(c.b, uint64(n))
}

func (c *copying) text(s string) {
	c.int32(int32(len(s)))
	c.b = append(c.b, s...)
}

func (c *copying) bytes(b []byte) {
	c.int32(int32(len(b)))
	c.b = append(c.b, b...)
}

// postgresEpoch is 2000-01-01 in Unix microseconds.
var postgresEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

func (c *copying) moment(t time.Time) { c.bigint(t.UnixMicro() - postgresEpoch) }

// array begins an array of n elements of a type, which take size bytes with their lengths.
func (c *copying) array(n int, oid uint32, size int) {
	if n == 0 {
		c.int32(12)
		c.int32(0) // Dimensions.
		c.int32(0) // No nulls.
		c.int32(int32(oid))
		return
	}
	c.int32(int32(20 + size))
	c.int32(1)
	c.int32(0)
	c.int32(int32(oid))
	c.int32(int32(n))
	c.int32(1) // The first index.
}
