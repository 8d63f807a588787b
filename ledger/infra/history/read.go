package history

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
)

// Head reads the epoch and the last position.
func Head(ctx context.Context, pool *pgxpool.Pool) (epoch int, pos int64, err error) {
	err = pool.QueryRow(ctx, "SELECT epoch, pos FROM ledger_head").Scan(&epoch, &pos)
	return epoch, pos, err
}

// Heads answers a function that reads a ledger's end: see Head.
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

// unbroken answers the records before the first gap, of those read after a position.
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

// Source answers the function with which read models read a ledger: see engine.Source. It fails with an *ArchivedError
// if events are archived.
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

// sparse is how many times further to search for a page of events when some types are left out.
const sparse = 20

// readBut reads the events whose types are not in the given list.
func readBut(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, but []string) ([]event.Record, int64, error) {
	var count, through int64
	err := pool.QueryRow(ctx, "SELECT count(*), coalesce(max(pos), $1) FROM events WHERE pos > $1 AND pos <= $1 + $2", after, sparse*limit).Scan(&count, &through)
	if err != nil {
		return nil, after, err
	}
	if count != through-after || count == 0 {
		// Read the events before a gap, and report the gap.
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

// ReadAt answers the records at some positions, in order; missing ones are left out.
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

// At answers a function that reads the record at a position.
func At(ctx context.Context, pool *pgxpool.Pool) func(pos int64) (event.Record, error) {
	return func(pos int64) (event.Record, error) {
		found, err := ReadAt(ctx, pool, []int64{pos})
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("history: nothing is at position %d", pos)
		}
		if err != nil {
			return event.Record{}, err
		}
		return found[0], nil
	}
}

// byKey makes the rest of a transaction look events up by their keys, one after another: a plan made without statistics
// would read all of them instead.
const byKey = "set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)"

// ScanAt reads the records at some positions, in order, in batches, in a transaction. It reads those that count from a
// time or before; all when the time is zero. Missing ones are left out.
func ScanAt(ctx context.Context, tx pgx.Tx, positions []int64, by time.Time, each func([]event.Record) error) error {
	if len(positions) == 0 {
		return nil
	}
	wanted := make([]byte, 0, 12*len(positions))
	for _, pos := range positions {
		wanted = append(strconv.AppendInt(wanted, pos, 10), ',')
	}
	latest := "infinity"
	if !by.IsZero() {
		latest = by.UTC().Format("2006-01-02 15:04:05.999999999Z07:00")
	}
	// COPY takes no parameters, and a different text for each call would fill the statistics of statements.
	if _, err := tx.Exec(ctx, "SELECT set_config('adashi.positions', $1, true), set_config('adashi.by', $2, true), "+byKey, string(wanted[:len(wanted)-1]), latest); err != nil {
		return fmt.Errorf("history: read at positions: %w", err)
	}
	w := &chunker{room: chunkBytes + chunkBytes/8, each: func(c Chunk) error {
		records, err := c.records()
		if err != nil || len(records) == 0 {
			return err
		}
		return each(records)
	}}
	_, err := tx.Conn().PgConn().CopyTo(ctx, w, "COPY (SELECT "+wholeRows.columns+` FROM unnest(string_to_array(current_setting('adashi.positions'), ',')::bigint[]) AS w (p)
		JOIN events ON pos = p AND effective_at <= current_setting('adashi.by')::timestamptz ORDER BY pos) TO STDOUT (FORMAT binary)`)
	switch {
	case w.err != nil:
		return w.err
	case err != nil:
		return fmt.Errorf("history: read at positions: %w", err)
	}
	return w.flush()
}

// Stretch is a part of a stream: from one version to another, both included.
type Stretch struct {
	Stream   string
	From, To int64
}

// ReadStretches answers the records of parts of streams up to a position, in the order of their positions, in a
// transaction. Missing ones are left out.
func ReadStretches(ctx context.Context, tx pgx.Tx, parts []Stretch, upto int64) (records []event.Record, err error) {
	streams, from, to := make([]string, len(parts)), make([]int64, len(parts)), make([]int64, len(parts))
	for i, p := range parts {
		streams[i], from[i], to[i] = p.Stream, p.From, p.To
	}
	pipeline := &pgx.Batch{}
	pipeline.Queue("SELECT " + byKey)
	pipeline.Queue("SELECT "+Columns+` FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w (s, f, t), LATERAL (SELECT * FROM events
		WHERE hashtextextended(stream, 0) = hashtextextended(s, 0) AND hashtextextended(stream, 1) = hashtextextended(s, 1) AND stream = s
		AND version BETWEEN f AND t AND pos <= $4) e ORDER BY pos`, streams, from, to, upto).Query(func(rows pgx.Rows) (err error) {
		records, err = pgx.CollectRows(rows, ScanRecord)
		return err
	})
	if err := tx.SendBatch(ctx, pipeline).Close(); err != nil {
		return nil, fmt.Errorf("history: read parts of streams: %w", err)
	}
	return records, nil
}

// LastBy is the last position, up to one, whose event was recorded by a time; 0 when there is none. It counts archived
// events as earlier ones.
func LastBy(ctx context.Context, tx pgx.Tx, upto int64, moment time.Time) (int64, error) {
	const probes = 32
	low, high := int64(0), upto // It is between them, both included.
	for low < high {
		var at []int64
		for step := (high - low + probes - 1) / probes; len(at) < probes && low+step*int64(len(at)+1) <= high; {
			at = append(at, low+step*int64(len(at)+1))
		}
		later, err := firstAfter(ctx, tx, at, moment)
		if err != nil {
			return 0, err
		}
		if later < len(at) {
			high = at[later] - 1
		}
		if later > 0 {
			low = at[later-1]
		}
	}
	return low, nil
}

// firstAfter is the index of the first of some positions whose event was recorded after a time; their number when there
// is none.
func firstAfter(ctx context.Context, tx pgx.Tx, at []int64, moment time.Time) (int, error) {
	var first *int64
	err := tx.QueryRow(ctx, "SELECT min(pos) FROM events WHERE pos = ANY($1) AND recorded_at > $2", at, moment).Scan(&first)
	if err != nil {
		return 0, fmt.Errorf("history: when events were recorded: %w", err)
	}
	if first == nil {
		return len(at), nil
	}
	return slices.Index(at, *first), nil
}

// ArchivedError says that events are in a partition that is detached, or missing.
type ArchivedError struct{ From, To int64 }

func (e *ArchivedError) Error() string {
	return fmt.Sprintf("the events from position %d to %d are not here: attach their archive first", e.From, e.To)
}

// EachOf passes on all events of some types in order, each with its message. An error names the position.
func EachOf(ctx context.Context, pool *pgxpool.Pool, types []string, take func(r *event.Record, m proto.Message) error) error {
	rows, err := pool.Query(ctx, "SELECT "+Columns+" FROM events WHERE type = ANY($1) ORDER BY pos", types)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := ScanRecord(rows)
		if err != nil {
			return err
		}
		m, err := r.Message()
		if err == nil {
			err = take(&r, m)
		}
		if err != nil {
			return fmt.Errorf("position %d: %w", r.Pos, err)
		}
	}
	return rows.Err()
}
