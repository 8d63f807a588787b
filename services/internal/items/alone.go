package items

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// key is the lock of what goes by a name.
const key = "hashtextextended('adashi ' || current_schema() || ' ' || $1, 0)"

// Alone does something while no other process does what goes by the same name; ran is false where one does it now. It
// holds a connection meanwhile. Should the process die, Postgres lets go of the name with that connection.
func Alone(ctx context.Context, pool *pgxpool.Pool, name string, do func() error) (ran bool, err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+key+")", name).Scan(&ran); err != nil || !ran {
		return false, err
	}
	defer unlock(ctx, conn, name)
	return true, do()
}

// InTurn is Alone that waits until nobody else does it.
func InTurn(ctx context.Context, pool *pgxpool.Pool, name string, do func() error) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock("+key+")", name); err != nil {
		return err
	}
	defer unlock(ctx, conn, name)
	return do()
}

func unlock(ctx context.Context, conn *pgxpool.Conn, name string) {
	_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")", name)
}
