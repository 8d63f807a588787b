// Package apart opens database connections outside any pool. Use one where code holds a connection for long and calls
// code that takes another from a pool.
package apart

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const closeTimeMax = 5 * time.Second

// Connect opens a connection with a pool's settings that the pool does not count. The caller calls end when it is done;
// that rolls back an open transaction.
func Connect(ctx context.Context, pool *pgxpool.Pool) (conn *pgx.Conn, end func(), err error) {
	conn, err = pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return nil, nil, err
	}
	return conn, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeMax)
		defer cancel()
		_ = conn.Close(ending)
	}, nil
}
