package pgcopy

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Send sends a query and the rows of the COPY statements in it, in order, all in one request. It reads the answer to
// its end. If that fails it closes the connection; an error from Postgres leaves it open.
func Send(ctx context.Context, conn *pgconn.PgConn, sql string, copies ...*Rows) error {
	out := conn.Frontend()
	out.SendQuery(&pgproto3.Query{String: sql})
	// After an error in an earlier statement, Postgres does not begin the COPY, and ignores its data.
	for _, rows := range copies {
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
		// Half of it may be on the wire, so the connection cannot be used again. Without it the transaction ends.
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
