package history

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Partition is a table that holds the events of a range of positions.
type Partition struct {
	Name     string
	From, To int64 // To is the first position that is not in it.
	Attached bool
	Present  bool // Its table is in this database.
}

// Partitions lists every partition there ever was, the oldest first.
func Partitions(ctx context.Context, pool *pgxpool.Pool) ([]Partition, error) {
	rows, err := pool.Query(ctx, `SELECT name, from_pos, to_pos, EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(name) AND NOT inhdetachpending),
		to_regclass(name) IS NOT NULL FROM ledger_partitions ORDER BY from_pos`)
	if err != nil {
		return nil, fmt.Errorf("history: the partitions: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Partition])
}
