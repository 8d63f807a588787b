package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/infra/history"
)

// copyIn writes the events and the positions of the commands with COPY. It sends everything in one request, with the
// SQL to run before and after.
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
	sql := before + "COPY events (" + history.Columns + ", leaf) FROM STDIN (FORMAT binary); COPY commands (command, pos, events) FROM STDIN (FORMAT binary)" + after
	return pgcopy.Send(ctx, conn, sql, events, commands)
}
