package history

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
)

// selectStream finds a stream's events by the index on two hashes of the streams' names.
const selectStream = "SELECT " + Columns + ` FROM events
	WHERE hashtextextended(stream, 0) = hashtextextended($1::text, 0) AND hashtextextended(stream, 1) = hashtextextended($1::text, 1) AND stream = $1
	AND pos <= $2 ORDER BY version LIMIT $3`

// ReadStream answers the first records of a stream up to a position, in order.
func ReadStream(ctx context.Context, pool *pgxpool.Pool, stream string, to int64, limit int) ([]event.Record, error) {
	rows, err := pool.Query(ctx, selectStream, stream, to, limit)
	if err != nil {
		return nil, fmt.Errorf("history: read stream %s: %w", stream, err)
	}
	records, err := pgx.CollectRows(rows, ScanRecord)
	if err != nil {
		return nil, fmt.Errorf("history: read stream %s: %w", stream, err)
	}
	return records, nil
}

// Archived fails with an *ArchivedError if a stream has no event here and had some that are archived: its state was
// kept then.
func Archived(ctx context.Context, pool *pgxpool.Pool, stream string) error {
	var last int64
	err := pool.QueryRow(ctx, "SELECT coalesce(min(pos), 1) - 1 FROM events HAVING EXISTS (SELECT FROM snapshots WHERE stream = $1)", stream).Scan(&last)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("history: archived events of %s: %w", stream, err)
	}
	return &ArchivedError{From: 1, To: last}
}

// LastOf answers the last position of some types of events in some streams, or 0.
func LastOf(ctx context.Context, pool *pgxpool.Pool, streams, types []string) (last int64, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		pipeline := &pgx.Batch{}
		pipeline.Queue("SELECT " + byKey)
		pipeline.Queue(`SELECT coalesce(max(e.pos), 0) FROM unnest($1::text[]) AS w (s), LATERAL (SELECT pos FROM events
			WHERE hashtextextended(stream, 0) = hashtextextended(s, 0) AND hashtextextended(stream, 1) = hashtextextended(s, 1) AND stream = s
			AND type = ANY($2)) e`, streams, types).QueryRow(func(row pgx.Row) error { return row.Scan(&last) })
		return tx.SendBatch(ctx, pipeline).Close()
	})
	if err != nil {
		return 0, fmt.Errorf("history: last of streams: %w", err)
	}
	return last, nil
}

// Whole answers some records with all others of their commands up to a position, in order.
func Whole(ctx context.Context, pool *pgxpool.Pool, records []event.Record, to int64) ([]event.Record, error) {
	have, front := make(map[int64]event.Record, len(records)), map[int64]bool{}
	var missing []int64
	for _, r := range records {
		have[r.Pos] = r
	}
	for _, r := range records {
		for pos := r.Pos - int64(r.Seq); pos < r.Pos; pos++ {
			if _, is := have[pos]; !is {
				missing, front[pos] = append(missing, pos), true // It is of the same command.
			}
		}
	}
	last := records // The records after which more of their command may follow.
	for {
		for _, r := range last {
			if _, is := have[r.Pos+1]; !is && r.Pos < to {
				missing = append(missing, r.Pos+1)
			}
		}
		if len(missing) == 0 {
			return inOrderOf(have), nil
		}
		more, err := ReadAt(ctx, pool, missing)
		if err != nil {
			return nil, err
		}
		missing, last = nil, nil
		for _, r := range more {
			before, is := have[r.Pos-1]
			if !front[r.Pos] && (r.Seq == 0 || is && before.Command != r.Command) {
				continue // It begins another command.
			}
			have[r.Pos] = r
			last = append(last, r)
		}
	}
}

func inOrderOf(have map[int64]event.Record) []event.Record {
	out := make([]event.Record, 0, len(have))
	for _, pos := range slices.Sorted(maps.Keys(have)) {
		out = append(out, have[pos])
	}
	return out
}
