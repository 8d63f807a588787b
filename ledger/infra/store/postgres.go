package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/history"
)

// postgres is the production Backend.
type postgres struct {
	pool      *pgxpool.Pool
	partition int64                       // Positions a partition of the events.
	room      atomic.Int64                // The last position that is known to have a partition.
	ahead     atomic.Pointer[clock.Watch] // When a partition was last made ahead, or tried; nil before.
}

// Postgres is a Backend on tables that Migrate made. partition is how many positions each partition of the events
// holds; DefaultPartition when zero.
func Postgres(pool *pgxpool.Pool, partition int64) Backend {
	if partition == 0 {
		partition = DefaultPartition
	}
	return &postgres{pool: pool, partition: partition}
}

// DefaultPartition is how many positions a partition of the events holds.
const DefaultPartition = 10_000_000

// Load implements Backend.
func (p *postgres) Load(ctx context.Context, n Need) (Found, error) {
	l, err := p.acquire(ctx)
	if err != nil {
		return Found{}, err
	}
	defer l.Rollback()
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level repeatable read read only") // So that all reads see one moment.
	pipeline.Queue("LOCK TABLE ONLY events IN ACCESS SHARE MODE")     // Keeps every partition of that moment.
	found := queueNeed(pipeline, n)
	pipeline.Queue("commit")
	if err := l.conn.SendBatch(ctx, pipeline).Close(); err != nil {
		return Found{}, refusal(err)
	}
	l.release()
	return *found, nil
}

// Lock implements Backend, in one round trip.
func (p *postgres) Lock(ctx context.Context, n Need) (Locked, Found, error) {
	l, err := p.acquire(ctx)
	if err != nil {
		return nil, Found{}, err
	}
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level read committed")
	var tip Tip
	pipeline.Queue("SET LOCAL lock_timeout = '5s'") // Nothing was sent: fail soon and tell the callers.
	pipeline.Queue("SELECT parted FROM ledger_gate FOR UPDATE").QueryRow(func(row pgx.Row) error {
		var why string
		if err := row.Scan(&why); err != nil || why == "" {
			return err
		}
		return fmt.Errorf("%w: %s", ErrParted, why)
	})
	pipeline.Queue("SET LOCAL lock_timeout = 0")
	pipeline.Queue("SELECT pos, recorded_at, leaf FROM ledger_head").QueryRow(func(row pgx.Row) error {
		var leaf []byte
		err := row.Scan(&tip.Pos, &tip.RecordedAt, &leaf)
		copy(tip.Leaf[:], leaf)
		return err
	})
	found := queueNeed(pipeline, n)
	if err := l.conn.SendBatch(ctx, pipeline).Close(); err != nil {
		l.Rollback()
		return nil, Found{}, refusal(err)
	}
	found.Tip = tip
	return l, *found, nil
}

// Write implements Backend. It takes one round trip for events alone: the fence, the events and the commit. With
// snapshots or refusals it takes two: the fence with the events, then the rest with the commit.
func (p *postgres) Write(ctx context.Context, from Tip, w Writes) error {
	if err := p.extend(ctx, p.pool, w.Tip.Pos, needed); err != nil {
		return err
	}
	l, err := p.acquire(ctx)
	if err != nil {
		return err
	}
	defer l.Rollback()
	before := fmt.Sprintf(`begin isolation level read committed; SELECT ledger_lock('%d', '\x%x', %s);`, from.Pos, from.Leaf, array(w.Refused))
	if len(w.Sessions) > 0 {
		before += " SELECT sessions_hold(" + array(w.Sessions) + ", true);"
	}
	return l.write(ctx, before, w)
}

// array is a list of ids in SQL.
func array(ids []uuid.UUID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return "'{" + strings.Join(texts, ",") + "}'"
}

// Settle implements Backend.
func (p *postgres) Settle(ctx context.Context) (pos int64, err error) {
	l, err := p.acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer l.conn.Release()
	if err = l.conn.QueryRow(ctx, settle).Scan(&pos); err != nil {
		return 0, refusal(err)
	}
	p.extendAhead(ctx, l.conn, pos)
	return pos, nil
}

// byKey makes Postgres use keys instead of reading a table whole, and plan each statement once. Nothing here reads more
// than a few rows, and every statement fixes how its tables are joined. Where Postgres guesses otherwise, as for the
// settled balances, it would start parallel workers, which takes a hundred times as long. ledger_settle sets its own
// planner options.
const byKey = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET max_parallel_workers_per_gather = 0; SET plan_cache_mode = force_generic_plan"

// acquire takes a connection whose statements all use keys: a plan made while the tables were small, or before they
// were ever analysed, would read them whole.
func (p *postgres) acquire(ctx context.Context) (*locked, error) {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	if known := conn.Conn().PgConn().CustomData(); known[byKey] == nil {
		if _, err := conn.Exec(ctx, byKey); err != nil {
			conn.Release()
			return nil, err
		}
		known[byKey] = true
	}
	return &locked{postgres: p, conn: conn}, nil
}

// querier is a pool or one of its connections.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// How long attaching a partition waits for sessions that read the events. Meanwhile new readers of the events wait too.
const (
	needed   = "5s"    // The next write has no room without it.
	foreseen = "100ms" // The room will run out later.
)

// extend makes sure that there is a partition for a position.
func (p *postgres) extend(ctx context.Context, on querier, upto int64, wait string) error {
	if upto <= p.room.Load() {
		return nil
	}
	var room int64
	err := on.QueryRow(ctx, "SELECT CASE WHEN set_config('lock_timeout', $3, true) <> '' THEN ledger_extend($1, $2) END", upto, p.partition, wait).Scan(&room)
	if err != nil {
		return fmt.Errorf("store: make room for position %d: %w", upto, err)
	}
	p.room.Store(room)
	return nil
}

// extendAhead makes the next partition once half of the last one is written, so that no append has to wait for readers
// of the events. If a reader holds it up, it tries again once a minute.
func (p *postgres) extendAhead(ctx context.Context, on querier, pos int64) {
	room, last := p.room.Load(), p.ahead.Load()
	if room == 0 || pos <= room-p.partition/2 || last != nil && last.Took() < time.Minute {
		return
	}
	began := clock.Start()
	p.ahead.Store(&began)
	if err := p.extend(ctx, on, room+1, foreseen); err != nil {
		slog.Warn("ledger: the next partition is made later: the events are being read", "written", pos, "room", room, "error", err)
	}
}

// locked is a transaction on a connection of its own.
type locked struct {
	*postgres
	conn *pgxpool.Conn // Nil once it ended.
}

// Load implements Locked.
func (l *locked) Load(ctx context.Context, n Need) (Found, error) {
	pipeline := &pgx.Batch{}
	found := queueNeed(pipeline, n)
	err := l.conn.SendBatch(ctx, pipeline).Close()
	return *found, refusal(err)
}

// Commit implements Locked.
func (l *locked) Commit(ctx context.Context, w Writes) error {
	if err := l.extend(ctx, l.conn, w.Tip.Pos, needed); err != nil {
		l.room.Store(0) // The rollback undoes the new partition.
		return err
	}
	err := l.write(ctx, "", w)
	if err != nil {
		l.room.Store(0)
	}
	return err
}

// Rollback implements Locked. The context may be why the transaction failed, so the rollback has its own.
func (l *locked) Rollback() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = l.conn.Exec(ctx, "rollback")
	l.release()
}

// write runs the SQL in before, writes all of w, and commits.
func (l *locked) write(ctx context.Context, before string, w Writes) error {
	conn := l.conn.Conn().PgConn()
	if len(w.Snapshots)+len(w.Refusals) == 0 {
		if err := copyIn(ctx, conn, before, w, "; commit"); err != nil {
			return unanswered(err)
		}
		l.release()
		return nil
	}
	if err := copyIn(ctx, conn, before, w, ""); err != nil {
		return refusal(err)
	}
	pipeline := &pgx.Batch{}
	queueWrites(pipeline, w)
	pipeline.Queue("commit")
	if err := l.conn.SendBatch(ctx, pipeline).Close(); err != nil {
		return unanswered(err)
	}
	l.release()
	return nil
}

func (l *locked) release() {
	l.conn.Release()
	l.conn = nil
}

// outages are the classes of errors that do not concern the data: the connection, the disk, rights, what the server
// cannot do just now. Every other error of Postgres concerns the read or the write itself.
const outages = "08 25 28 3D 3F 40 42 53 55 57 58 F0 XX"

// refusal separates a refusal by Postgres from an outage. Nothing was written either way.
func refusal(err error) error {
	var (
		pg  *pgconn.PgError
		row pgx.ScanArgError
	)
	switch {
	case errors.As(err, &row), errors.Is(err, history.ErrMalformed):
		return fmt.Errorf("%w: %w", ErrConstraint, err)
	case !errors.As(err, &pg) || len(pg.Code) != 5:
		return err
	case pg.Code == "AD001":
		return ErrMoved
	case pg.Code == "AD002":
		return ErrBefore
	case pg.Code == "AD005":
		return ErrEnded
	case pg.Code == "AD004":
		return fmt.Errorf("%w: %s", ErrParted, pg.Message)
	case pg.Code == "AD003":
		return fmt.Errorf("%w: %s", ErrUnsettled, pg.Message)
	case strings.Contains(outages, pg.Code[:2]):
		return err
	default:
		return fmt.Errorf("%w: %w", ErrConstraint, err)
	}
}

// unanswered marks the error of a pipeline that ends with a commit. pgx may call an error safe to retry although the
// transaction is committed, so only an answer from Postgres counts as a failure. A FATAL one does not: it may come
// after the commit, as when the server is told to stop just then.
func unanswered(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.SeverityUnlocalized != "ERROR" {
		return fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return refusal(err)
}

// queueWrites queues the rows that are seldom written.
func queueWrites(pipeline *pgx.Batch, w Writes) {
	for _, s := range w.Snapshots {
		queueSnapshot(pipeline, s)
	}
	for i := range w.Refusals {
		r := &w.Refusals[i]
		pipeline.Queue("INSERT INTO commands VALUES ($1, 0, 0)", r.Command)
		pipeline.Queue("INSERT INTO refusals (command, command_hash, code, message, field, recorded_at, actor, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
			r.Command, r.Hash[:], string(r.Fault.Code), r.Fault.Message, r.Fault.Field, w.Tip.RecordedAt, r.Actor, append([]byte{}, r.Seal...))
	}
}

func queueSnapshot(pipeline *pgx.Batch, s Snapshot) {
	pipeline.Queue(`INSERT INTO snapshots AS s (stream, fold, version, state) VALUES ($1, $2, $3, $4)
		ON CONFLICT (stream, fold) DO UPDATE SET version = excluded.version, state = excluded.state WHERE s.version < excluded.version`,
		s.Stream, s.Fold, s.Version, s.State)
}
