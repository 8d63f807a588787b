package items

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Alone does something while no other process does what goes by the same name; ran is false where one does it now. It
// holds a connection meanwhile. Should the process die, Postgres lets go of the name with that connection.
func Alone(ctx context.Context, pool *pgxpool.Pool, name string, do func() error) (ran bool, err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	const key = "hashtextextended('adashi ' || current_schema() || ' ' || $1, 0)"
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+key+")", name).Scan(&ran); err != nil || !ran {
		return false, err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")", name)
	}()
	return true, do()
}

// askAgain is how long InTurn waits between two tries.
const askAgain = 20 * time.Millisecond

// InTurn is Alone that waits for its turn. It holds no connection while it waits: what it waits for may need one.
func InTurn(ctx context.Context, pool *pgxpool.Pool, name string, do func() error) error {
	for {
		if ran, err := Alone(ctx, pool, name, do); ran || err != nil {
			return err
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
