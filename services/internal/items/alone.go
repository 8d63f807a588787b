package items

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Alone does something while no other process does what goes by the same name; ran is false where one does it now.
// A process locks all its names over one connection of the pool, so do may ask the pool for others. If the process
// dies, Postgres releases the names with that connection.
func Alone(ctx context.Context, pool *pgxpool.Pool, name string, do func() error) (ran bool, err error) {
	k := keeperOf(pool)
	defer k.leave(pool)
	if ran, err = k.take(ctx, pool, name); err != nil || !ran {
		return false, err
	}
	defer k.give(context.WithoutCancel(ctx), name)
	return true, do()
}

// keeper holds names as advisory locks of one connection.
type keeper struct {
	users int           // Who may keep names by it now; under keepers' mutex.
	turn  chan struct{} // Whose turn it is at what follows.
	conn  *pgxpool.Conn // Nil while no name is kept.
	names map[string]bool
}

// keepers are those of this process, by their pool.
var keepers = struct {
	sync.Mutex
	of map[*pgxpool.Pool]*keeper
}{of: map[*pgxpool.Pool]*keeper{}}

func keeperOf(pool *pgxpool.Pool) *keeper {
	keepers.Lock()
	defer keepers.Unlock()
	k := keepers.of[pool]
	if k == nil {
		k = &keeper{turn: make(chan struct{}, 1), names: map[string]bool{}}
		keepers.of[pool] = k
	}
	k.users++
	return k
}

func (k *keeper) leave(pool *pgxpool.Pool) {
	keepers.Lock()
	defer keepers.Unlock()
	if k.users--; k.users == 0 {
		delete(keepers.of, pool)
	}
}

// lockTimeMax is how long Postgres may take to lock or release a name.
const lockTimeMax = 5 * time.Second

const lockOf = "hashtextextended('adashi ' || current_schema() || ' ' || $1, 0)"

// take locks a name, unless this process or another holds it.
func (k *keeper) take(ctx context.Context, pool *pgxpool.Pool, name string) (got bool, err error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if k.names[name] || ctx.Err() != nil {
		return false, ctx.Err()
	}
	// The connection holds the names of others too: a caller that gives up must not break it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeMax)
	defer cancel()
	if k.conn == nil {
		if k.conn, err = pool.Acquire(ctx); err != nil {
			k.conn = nil
			return false, err
		}
		k.again(ctx)
	}
	err = k.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockOf+")", name).Scan(&got)
	if got {
		k.names[name] = true
	}
	k.rest(err)
	return got, err
}

// again locks the held names over a new connection, after the earlier one was lost.
func (k *keeper) again(ctx context.Context) {
	for name := range k.names {
		var got bool
		if err := k.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockOf+")", name).Scan(&got); err != nil || !got {
			slog.WarnContext(ctx, "items: a name is not kept any more, since its connection was lost", "name", name, "error", err)
		}
	}
}

func (k *keeper) give(ctx context.Context, name string) {
	k.turn <- struct{}{}
	defer func() { <-k.turn }()
	delete(k.names, name)
	if k.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeMax)
	defer cancel()
	_, err := k.conn.Exec(ctx, "SELECT pg_advisory_unlock("+lockOf+")", name)
	k.rest(err)
}

// rest releases the connection when no name is held, or when it failed: the pool then closes it, which ends its locks.
func (k *keeper) rest(err error) {
	if err != nil {
		_ = k.conn.Conn().Close(context.Background())
	}
	if err != nil || len(k.names) == 0 {
		k.conn.Release()
		k.conn = nil
	}
}

// askAgain is how long InTurn waits between two tries.
const askAgain = 20 * time.Millisecond

// InTurn is Alone that waits for its turn.
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
