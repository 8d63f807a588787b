package store

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"adashi.ng/ledger/event"
)

// copyIn writes the events and where each command's are with COPY in Postgres's binary format, which costs the server
// less than INSERT. All of it goes in one request, with what is to come before.
// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"
func copyIn(ctx context.Context, conn *pgconn.PgConn, before string, w Writes) error {
	events, commands := newCopying(512*len(w.Records)), newCopying(40*len(w.Commands))
	for i, r := range w.Records {
		events.record(r, w.Leaves[i])
	}
	for _, c := range w.Commands {
		commands.int16(3)
		commands.bytes(c.Command[:])
		commands.bigint(c.Pos)
		commands.int32(2)
		commands.int16(int16(c.Events))
	}
	out := conn.Frontend()
	out.SendQuery(&pgproto3.Query{String: before + "COPY events (" + columns + ", leaf) FROM STDIN (FORMAT binary); COPY commands (command, pos, events) FROM STDIN (FORMAT binary)"})
	// Postgres passes over what comes to a COPY that it does not begin, after an error in what is before it.
	for _, c := range []*copying{events, commands} {
		c.int16(-1)
		out.Send(&pgproto3.CopyData{Data: c.b})
		out.Send(&pgproto3.CopyDone{})
	}
	deadline, _ := ctx.Deadline()
	err := conn.Conn().SetDeadline(deadline)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = answered(ctx, conn)
	}
	var pg *pgconn.PgError
	if err != nil && !errors.As(err, &pg) {
		// Half of it may be under way: nobody else is to speak on this connection. Without it the transaction ends.
		_ = conn.Conn().Close()
		_ = conn.Close(ctx)
		return err
	}
	return errors.Join(err, conn.Conn().SetDeadline(time.Time{}))
}

// answered reads the answer to a request to its end.
func answered(ctx context.Context, conn *pgconn.PgConn) (failed error) {
	for {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *pgproto3.ErrorResponse:
			failed = pgconn.ErrorResponseToPgError(m)
		case *pgproto3.ReadyForQuery:
			return failed
		}
	}
}

// copying is rows in the binary format: each field has its length before it.
type copying struct{ b []byte }

func newCopying(size int) *copying {
	return &copying{append(make([]byte, 0, 64+size), copyHeader...)}
}

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
