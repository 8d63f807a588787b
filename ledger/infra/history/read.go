package history

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
)

// Head reads the epoch and the last position.
func Head(ctx context.Context, pool *pgxpool.Pool) (epoch int, pos int64, err error) {
	err = pool.QueryRow(ctx, "SELECT epoch, pos FROM ledger_head").Scan(&epoch, &pos)
	return epoch, pos, err
}

// Heads answers how a ledger's end is asked for: see Head.
func Heads(pool *pgxpool.Pool) func(ctx context.Context) (epoch int, pos int64, err error) {
	return func(ctx context.Context) (int, int64, error) { return Head(ctx, pool) }
}

// Read answers the records after a position, in order, at most limit. Fewer than limit means that the head was
// reached; there is never a gap. It fails with an *ArchivedError where events are archived.
func Read(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]event.Record, error) {
	records, err := copied(ctx, pool, fmt.Sprintf("pos > %d ORDER BY pos LIMIT %d", after, limit))
	return unbroken(records, after, err)
}

// ReadFew is Read for a small limit.
func ReadFew(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]event.Record, error) {
	records, err := few(ctx, pool, after, limit)
	return unbroken(records, after, err)
}

// unbroken answers those of the records read after a position that come before the first gap.
func unbroken(records []event.Record, after int64, err error) ([]event.Record, error) {
	if err != nil {
		return nil, fmt.Errorf("history: read after %d: %w", after, err)
	}
	for i := range records {
		if want := after + 1 + int64(i); records[i].Pos != want {
			if i > 0 {
				return records[:i], nil
			}
			return nil, &ArchivedError{From: want, To: records[i].Pos - 1}
		}
	}
	return records, nil
}

// Source answers how the read models read a ledger: see engine.Source. It fails with an *ArchivedError where events are
// archived.
func Source(pool *pgxpool.Pool) func(ctx context.Context, after int64, limit int, but []string) ([]event.Record, int64, error) {
	return func(ctx context.Context, after int64, limit int, but []string) ([]event.Record, int64, error) {
		if but != nil {
			return readBut(ctx, pool, after, limit, but)
		}
		records, err := Read(ctx, pool, after, limit)
		if len(records) == 0 {
			return nil, after, err
		}
		return records, records[len(records)-1].Pos, err
	}
}

// sparse is how much further is looked for so many events when some types are left out.
const sparse = 20

// readBut reads those events that are not of some types, which this build names.
func readBut(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, but []string) ([]event.Record, int64, error) {
	var count, through int64
	err := pool.QueryRow(ctx, "SELECT count(*), coalesce(max(pos), $1) FROM events WHERE pos > $1 AND pos <= $1 + $2", after, sparse*limit).Scan(&count, &through)
	if err != nil {
		return nil, after, err
	}
	if count != through-after || count == 0 {
		// What there is before a gap, and what is wrong.
		records, err := Read(ctx, pool, after, limit)
		if len(records) == 0 {
			return nil, after, err
		}
		through = records[len(records)-1].Pos
	}
	records, err := copied(ctx, pool, fmt.Sprintf("pos > %d AND pos <= %d AND type NOT IN ('%s') ORDER BY pos LIMIT %d", after, through, strings.Join(but, "', '"), limit))
	if err != nil {
		return nil, after, fmt.Errorf("history: read after %d: %w", after, err)
	}
	if len(records) == limit {
		through = records[limit-1].Pos
	}
	return records, through, nil
}

// ReadAt answers the records at some positions, in order; those that are not here are absent.
func ReadAt(ctx context.Context, pool *pgxpool.Pool, positions []int64) ([]event.Record, error) {
	rows, err := pool.Query(ctx, "SELECT "+Columns+" FROM events WHERE pos = ANY($1) ORDER BY pos", positions)
	if err != nil {
		return nil, fmt.Errorf("history: read at positions: %w", err)
	}
	records, err := pgx.CollectRows(rows, ScanRecord)
	if err != nil {
		return nil, fmt.Errorf("history: read at positions: %w", err)
	}
	return records, nil
}

// ArchivedError says that events are in a partition that is detached, or missing.
type ArchivedError struct{ From, To int64 }

func (e *ArchivedError) Error() string {
	return fmt.Sprintf("the events from position %d to %d are not here: attach their archive first", e.From, e.To)
}
