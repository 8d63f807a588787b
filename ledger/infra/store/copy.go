package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/infra/history"
)

// copyIn writes the events and where each command's are with COPY. All of it goes in one request, with what is to come
// before and after.
func copyIn(ctx context.Context, conn *pgconn.PgConn, before string, w Writes, after string) error {
	events, commands := pgcopy.New(512*len(w.Records)), pgcopy.New(40*len(w.Commands))
	for i, r := range w.Records {
		history.WriteRow(events, r, w.Leaves[i])
	}
	for _, c := range w.Commands {
		commands.Row(3)
		commands.Bytes(c.Command[:])
		commands.Bigint(c.Pos)
		commands.Smallint(int16(c.Events))
	}
	out := conn.Frontend()
	out.SendQuery(&pgproto3.Query{String: before + "COPY events (" + history.Columns + ", leaf) FROM STDIN (FORMAT binary); COPY commands (command, pos, events) FROM STDIN (FORMAT binary)" + after})
	// Postgres passes over what comes to a COPY that it does not begin, after an error in what is before it.
	for _, rows := range []*pgcopy.Rows{events, commands} {
		out.Send(&pgproto3.CopyData{Data: rows.End()})
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
