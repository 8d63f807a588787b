package history

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/event"
)

// Row is an event as it is stored.
type Row struct {
	event.Record
	Leaf []byte // As stored: the hash of the record, unless somebody changed either.
	// Malformed says which column holds a value that a Record cannot hold, such as a command hash of 15 bytes; empty
	// for rows that the store wrote.
	Malformed string
}

// chunkBytes is how much is read before it is passed on. It is so small that the receiver is done before Postgres,
// which keeps sending, has filled the socket's 200 KB and has to wait.
const chunkBytes = 64 << 10

// Chunk is stored events as Postgres sent them. Rows reads it.
type Chunk struct {
	raw []byte
	n   int // How many rows, about.
}

// Scan reads the records from one position to another, both included, in order, in batches, as fast as the machine can:
// with COPY, over a connection that does nothing else meanwhile. A batch may be kept. It fails with an *ArchivedError
// if events are archived or missing. When each fails, Scan ends with its error and closes the connection.
func Scan(ctx context.Context, conn *pgx.Conn, from, to int64, each func([]event.Record) error) error {
	return scan(ctx, conn, wholeRows, from, to, func(c Chunk, due *due) error {
		records, err := c.records()
		if err != nil || len(records) == 0 {
			return err
		}
		for i := range records {
			if err := due.take(records[i].Pos); err != nil {
				return err
			}
		}
		return each(records)
	})
}

// records reads the chunk's rows as records: see Rows.
func (c Chunk) records() ([]event.Record, error) {
	rows, err := c.Rows()
	records := make([]event.Record, len(rows))
	for i := range rows {
		if rows[i].Malformed != "" {
			return nil, fmt.Errorf("history: position %d: %s", rows[i].Pos, rows[i].Malformed)
		}
		records[i] = rows[i].Record
	}
	return records, err
}

// Fact is the part of an event that a fold needs.
type Fact struct {
	Pos         int64
	Stream      string
	Version     int64
	Type        string
	EffectiveAt time.Time // UTC.
	RecordedAt  time.Time // UTC.
	Body        []byte
}

// Happened is the fact as a fold sees it. It fails on a body that this build cannot read.
func (f *Fact) Happened() (event.Happened, error) {
	m, err := event.Decode(f.Type, f.Body)
	return event.Happened{Message: m, EffectiveAt: f.EffectiveAt, RecordedAt: f.RecordedAt}, err
}

// copied reads some records with COPY, in one round trip. It costs both sides half as much as reading rows.
func copied(ctx context.Context, pool *pgxpool.Pool, where string) (records []event.Record, err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release() // A connection whose transaction broke off is not used again.
	w := &chunker{room: chunkBytes + chunkBytes/8, each: func(c Chunk) error {
		more, err := c.records()
		records = append(records, more...)
		return err
	}}
	_, err = conn.Conn().PgConn().CopyTo(ctx, w, "BEGIN READ ONLY; "+inOrder+"; COPY (SELECT "+wholeRows.columns+" FROM events WHERE "+where+") TO STDOUT (FORMAT binary); COMMIT")
	if w.err != nil {
		return nil, w.err
	}
	if err == nil {
		err = w.flush()
	}
	return records, err
}

// few reads the records after a position as rows, in one round trip. COPY costs less for each row, but Postgres plans
// it each time.
func few(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) (records []event.Record, err error) {
	pipeline := &pgx.Batch{}
	pipeline.Queue(inOrder + ", set_config('plan_cache_mode', 'force_generic_plan', true)") // Planning takes longer than reading.
	pipeline.Queue("SELECT "+Columns+" FROM events WHERE pos > $1 ORDER BY pos LIMIT $2", after, limit).Query(func(rows pgx.Rows) (err error) {
		records, err = pgx.CollectRows(rows, ScanRecord)
		return err
	})
	err = pool.SendBatch(ctx, pipeline).Close()
	return records, err
}

// ScanFacts is Scan for folds: it reads only the columns that they need, which costs Postgres less than half. Unlike a
// batch of records, facts are valid only until each returns: the next ones reuse their memory, that of their texts too.
func ScanFacts(ctx context.Context, conn *pgx.Conn, from, to int64, each func([]Fact) error) error {
	var facts []Fact
	return scan(ctx, conn, onlyFacts, from, to, func(c Chunk, due *due) (err error) {
		facts, err = c.facts(facts[:0])
		if err != nil || len(facts) == 0 {
			return err
		}
		for i := range facts {
			if err := due.take(facts[i].Pos); err != nil {
				return err
			}
		}
		return each(facts)
	})
}

// due is the position that comes next.
type due int64

func (d *due) take(pos int64) error {
	if next := int64(*d); pos != next {
		return &ArchivedError{From: next, To: pos - 1}
	}
	*d++
	return nil
}

// scan reads chunks of all events.
func scan(ctx context.Context, conn *pgx.Conn, what reading, from, to int64, each func(Chunk, *due) error) error {
	next := due(from)
	err := copyChunks(ctx, conn, what, "events", from, to, func(c Chunk) error { return each(c, &next) })
	if err == nil && int64(next) <= to {
		return &ArchivedError{From: int64(next), To: to}
	}
	return err
}

// ScanChunks reads the rows of a table of events, which may be one of its partitions, from one position to another,
// both included, in order. The caller decodes the chunks, and may do so elsewhere and later. It does not check for
// gaps.
func ScanChunks(ctx context.Context, conn *pgx.Conn, table string, from, to int64, each func(Chunk) error) error {
	return copyChunks(ctx, conn, wholeRows, table, from, to, each)
}

// reading says which columns to read, and how.
type reading struct {
	columns string
	reuse   bool // A chunk is good until the next.
}

var (
	wholeRows = reading{columns: Columns + ", leaf"}
	onlyFacts = reading{columns: "pos, stream, version, type, effective_at, recorded_at, body", reuse: true}
)

// inOrder makes a transaction use the primary key, which is in order already; a plan made without statistics would sort
// instead.
const inOrder = "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"

func copyChunks(ctx context.Context, conn *pgx.Conn, what reading, table string, from, to int64, each func(Chunk) error) error {
	if conn.PgConn().TxStatus() == 'I' {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			return copyChunks(ctx, tx.Conn(), what, table, from, to, each)
		})
	}
	if _, err := conn.Exec(ctx, inOrder); err != nil {
		return fmt.Errorf("history: scan from %d to %d: %w", from, to, err)
	}
	w := &chunker{each: each, reuse: what.reuse, room: chunkBytes + chunkBytes/8}
	sql := fmt.Sprintf("COPY (SELECT %s FROM %s WHERE pos BETWEEN %d AND %d ORDER BY pos) TO STDOUT (FORMAT binary)",
		what.columns, pgx.Identifier{table}.Sanitize(), from, to)
	if _, err := conn.PgConn().CopyTo(ctx, w, sql); err != nil {
		if w.err != nil {
			return w.err // The caller's error, not the connection's.
		}
		return fmt.Errorf("history: scan from %d to %d: %w", from, to, err)
	}
	return w.flush()
}

// chunker cuts COPY's messages into chunks. A message holds a whole row; the first one the header too.
type chunker struct {
	chunk Chunk
	room  int // To begin a chunk with.
	reuse bool
	began bool
	err   error
	each  func(Chunk) error
}

// Write implements io.Writer.
func (w *chunker) Write(message []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n := len(message)
	if !w.began {
		if n < len(pgcopy.Header) || string(message[:len(pgcopy.Header)]) != pgcopy.Header {
			w.err = errors.New("history: scan: not COPY's binary format")
			return 0, w.err
		}
		w.began, message = true, message[len(pgcopy.Header):]
	}
	if w.chunk.raw == nil {
		w.chunk.raw = make([]byte, 0, max(w.room, len(message)))
	}
	w.chunk.raw = append(w.chunk.raw, message...)
	w.chunk.n++
	if len(w.chunk.raw) >= chunkBytes {
		w.err = w.flush()
	}
	return n, w.err
}

func (w *chunker) flush() error {
	c := w.chunk
	w.chunk = Chunk{}
	if w.reuse {
		w.chunk.raw = c.raw[:0]
	}
	if len(c.raw) == 0 {
		return nil
	}
	return w.each(c)
}
