package projections_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections/activity"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/memory"
)

// tally is what counting remembers of its table.
type tally struct{ rows int }

// counting is a model that counts its rows in every batch, and compares the count with the one it remembers. Now and
// then it fails, before or after it writes its rows.
type counting struct {
	*house
	remembered atomic.Int64 // The number of batches that had a memory.
	fails      atomic.Bool
}

func (c *counting) model(parts int) engine.Model {
	return engine.Model{
		Name: "counting", Version: 1, Partitions: parts, Tables: []string{"rm_counted"}, Schema: "CREATE TABLE rm_counted (pos bigint PRIMARY KEY)",
		Fold: func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (none engine.Changes, err error) {
			known := memory.Of[tally](ctx)
			var rows int
			if err := tx.QueryRow(ctx, "SELECT count(*) FROM rm_counted").Scan(&rows); err != nil {
				return none, err
			}
			if known.rows != 0 {
				c.remembered.Add(1)
				if known.rows != rows {
					c.Errorf("it remembers %d rows and there are %d", known.rows, rows)
				}
			}
			for _, e := range events {
				if !part.Owns(e.Type) {
					continue
				}
				if _, err := tx.Exec(ctx, "INSERT INTO rm_counted VALUES ($1)", e.Pos); err != nil {
					return none, err
				}
				rows++
			}
			known.rows = rows
			if c.fails.Swap(false) {
				return none, errTrouble
			}
			return none, nil
		},
	}
}

// follows waits until the model has reached the ledger's end.
func (c *counting) follows() {
	c.Helper()
	require.Eventually(c, func() bool {
		var at int64
		err := c.pool.QueryRow(context.Background(), "SELECT min(pos) FROM projections WHERE name = 'counting'").Scan(&at)
		return err == nil && at == c.head()
	}, time.Minute, 5*time.Millisecond)
}

// The engine drops a fold's memory when its batch was not written, and when another process folded meanwhile.
func TestWhatAFoldRemembersIsWhatItsTableHolds(t *testing.T) {
	t.Parallel()
	c := &counting{house: setup(t)}
	ctx := context.Background()
	e := c.with(c.model(1), activity.Model())
	require.NoError(t, e.Prepare(ctx))
	c.start(e)
	c.begin()
	for range 20 {
		c.fails.Store(c.luck.IntN(3) == 0)
		c.live(1 + c.luck.IntN(5))
		if c.luck.IntN(3) == 0 {
			if err := c.with(c.model(1)).CatchUp(ctx); err != nil { // As another process would.
				require.ErrorIs(t, err, errTrouble)
			}
		}
		c.follows()
	}
	require.Positive(t, c.remembered.Load())
	c.fails.Store(false) // The last failure may have met no batch: the live events may have been folded before it.
	before := c.remembered.Load()
	result, err := c.with(c.model(1)).Rebuild(ctx, "counting", nil)
	require.NoError(t, err)
	require.True(t, result.Compared)
	require.GreaterOrEqual(t, c.remembered.Load(), before)
	c.live(3)
	c.follows()
}

// Parts that are folded together and then separately have no memory.
func TestAModelOfSeveralPartsRemembersNothing(t *testing.T) {
	t.Parallel()
	c := &counting{house: setup(t)}
	ctx := context.Background()
	e := c.with(c.model(2))
	require.NoError(t, e.Prepare(ctx))
	c.start(e)
	c.begin()
	for range 5 {
		c.live(3)
		c.follows()
	}
	_, err := e.Rebuild(ctx, "counting", nil)
	require.NoError(t, err)
	require.Zero(t, c.remembered.Load())
}
