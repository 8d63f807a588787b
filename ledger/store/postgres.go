package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
)

// postgres is the Backend that is for real.
type postgres struct {
	pool      *pgxpool.Pool
	partition int64        // Positions a partition of the events.
	room      atomic.Int64 // The last position that is known to have a partition.
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

// plannedNow is for reading: a plan kept from when the tables were small might join them the wrong way round.
const plannedNow = "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)"

// Load implements Backend.
func (p *postgres) Load(ctx context.Context, n Need) (Found, error) {
	l, err := p.acquire(ctx)
	if err != nil {
		return Found{}, err
	}
	defer l.Rollback()
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level repeatable read read only") // So that all of it is of one moment.
	pipeline.Queue("LOCK TABLE ONLY events IN ACCESS SHARE MODE")     // No partition is gone that was there at that moment.
	pipeline.Queue(plannedNow)
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
	pipeline.Queue(plannedNow)
	var tip Tip
	pipeline.Queue("SET LOCAL lock_timeout = '5s'") // Nothing was sent yet: those who wait are soon told so.
	pipeline.Queue("SELECT FROM ledger_gate FOR UPDATE")
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

// Write implements Backend, in one round trip, or two when there is more than events: the fence with the events, then
// what is small with the commit.
func (p *postgres) Write(ctx context.Context, from Tip, w Writes) error {
	if err := p.extend(ctx, p.pool, w.Tip.Pos); err != nil {
		return err
	}
	l, err := p.acquire(ctx)
	if err != nil {
		return err
	}
	defer l.Rollback()
	refused := make([]string, len(w.Refused))
	for i, id := range w.Refused {
		refused[i] = id.String()
	}
	return l.write(ctx, fmt.Sprintf(`begin isolation level read committed; SELECT ledger_lock('%d', '\x%x', '{%s}');`, from.Pos, from.Leaf, strings.Join(refused, ",")), w)
}

// Settle implements Backend.
func (p *postgres) Settle(ctx context.Context) (pos int64, err error) {
	l, err := p.acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer l.conn.Release()
	err = l.conn.QueryRow(ctx, settle).Scan(&pos)
	return pos, refusal(err)
}

// acquire takes a connection whose statements all go by key: a plan made while the tables were small, or before they
// were ever analysed, would read them whole.
func (p *postgres) acquire(ctx context.Context) (*locked, error) {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	const byKey = "adashi: goes by key"
	if known := conn.Conn().PgConn().CustomData(); known[byKey] == nil {
		if _, err := conn.Exec(ctx, "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off"); err != nil {
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

// extend makes sure that there is a partition for a position.
func (p *postgres) extend(ctx context.Context, on querier, upto int64) error {
	if upto <= p.room.Load() {
		return nil
	}
	var room int64
	if err := on.QueryRow(ctx, "SELECT ledger_extend($1, $2)", upto, p.partition).Scan(&room); err != nil {
		return fmt.Errorf("store: make room for position %d: %w", upto, err)
	}
	p.room.Store(room)
	return nil
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
	if err := l.extend(ctx, l.conn, w.Tip.Pos); err != nil {
		l.room.Store(0) // What was made is undone with the transaction.
		return err
	}
	err := l.write(ctx, "SELECT set_config('plan_cache_mode', 'auto', true);", w)
	if err != nil {
		l.room.Store(0)
	}
	return err
}

// Rollback implements Locked. The context may be why the transaction failed; the rollback gets its own.
func (l *locked) Rollback() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = l.conn.Exec(ctx, "rollback")
	l.release()
}

// write sends all of w, after what is to come before it, and commits.
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

// outages are the classes of errors that are everybody's: the connection, the disk, rights, what the server cannot do
// just now. Whatever else Postgres says concerns what was to be read or written.
const outages = "08 25 28 3D 3F 40 42 53 55 57 58 F0 XX"

// refusal tells what Postgres refused from an outage. Nothing was written either way.
func refusal(err error) error {
	var (
		pg  *pgconn.PgError
		row pgx.ScanArgError
	)
	switch {
	case errors.As(err, &row):
		return fmt.Errorf("%w: %w", ErrConstraint, err)
	case !errors.As(err, &pg) || len(pg.Code) != 5:
		return err
	case pg.Code == "AD001":
		return ErrMoved
	case pg.Code == "AD002":
		return ErrBefore
	case pg.Code == "AD003":
		return fmt.Errorf("%w: %s", ErrUnsettled, pg.Message)
	case strings.Contains(outages, pg.Code[:2]):
		return err
	default:
		return fmt.Errorf("%w: %w", ErrConstraint, err)
	}
}

// unanswered marks what came of a pipeline that ends with a commit. pgx may call an error safe to retry although the transaction is committed,
// so only an answer of Postgres's counts; nor does a FATAL one, which may come after the commit, as when the server is
// told to stop just then.
func unanswered(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.SeverityUnlocalized != "ERROR" {
		return fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return refusal(err)
}

const (
	selectRecorded = `SELECT ` + columns + ` FROM (SELECT c.pos AS first, c.events AS n FROM commands c WHERE c.command = ANY($1) AND c.events > 0) c
		JOIN LATERAL (SELECT * FROM events WHERE pos >= c.first AND pos < c.first + c.n) e ON true ORDER BY pos`
	selectCommands = "SELECT command FROM commands WHERE command = ANY($1) AND events > 0"
	selectTailFrom = "SELECT pos, stream, version, type, effective_at, recorded_at, body, accounts, balances, leaf FROM events WHERE pos >= $1 ORDER BY pos LIMIT $2"
	selectRefusals = "SELECT command, command_hash, code, message, field FROM refusals WHERE command = ANY($1)"
	selectTried    = "SELECT actor, count(*) FROM refusals WHERE actor = ANY($1) AND recorded_at >= $2 GROUP BY actor"
	settle         = "SELECT ledger_settle()"
	selectSettled  = "SELECT pos FROM ledger_settled"
	selectBalances = "SELECT account, balance FROM ledger_accounts WHERE account = ANY($1)"
	selectSince    = `SELECT l.account, l.balance FROM events e, unnest(e.accounts, e.balances) WITH ORDINALITY AS l (account, balance, n)
		WHERE e.pos > (SELECT pos FROM ledger_settled) AND e.accounts && $1 AND l.account = ANY($1) ORDER BY e.pos, l.n`
)

// OfStream is the condition that the events e are of the stream that an expression names, by the index that there is on
// two hashes of the names.
func OfStream(name string) string {
	return "hashtextextended(e.stream, 0) = hashtextextended(" + name + ", 0) AND hashtextextended(e.stream, 1) = hashtextextended(" + name + ", 1) AND e.stream = " + name
}

// selectStreams finds snapshots and the events after those of the folds asked for, in one statement: between two a
// partition might be detached, and its events be missed by one and its snapshots by the other. A snapshot has position 0;
// one of another fold comes without its state. Events follow their stream's snapshots.
var selectStreams = `WITH w AS (SELECT * FROM unnest($1::text[], $2::int[]) AS w (stream, fold))
	SELECT 0::bigint, s.stream, s.version, s.fold, '', '-infinity'::timestamptz, '-infinity'::timestamptz, CASE WHEN s.fold = w.fold THEN s.state END
	FROM w JOIN snapshots s ON s.stream = w.stream
	UNION ALL
	SELECT e.pos, e.stream, e.version, 0, e.type, e.effective_at, e.recorded_at, e.body
	FROM w LEFT JOIN snapshots s USING (stream, fold)
	JOIN LATERAL (SELECT * FROM events e WHERE ` + OfStream("w.stream") + ` AND e.version > coalesce(s.version, 0)) e ON true
	ORDER BY 2, 3, 1, 4`

// queueStreams asks for what streams are folded from.
func queueStreams(pipeline *pgx.Batch, n Need, found *Found) {
	pipeline.Queue(selectStreams, n.Streams, n.Folds).Query(func(rows pgx.Rows) error {
		var (
			r    event.Record
			fold int32
			from pgtype.Timestamptz
			at   pgtype.Timestamptz
		)
		_, err := pgx.ForEachRow(rows, []any{&r.Pos, &r.Stream, &r.Version, &fold, &r.Type, &from, &at, &r.Body}, func() error {
			if r.Pos == 0 {
				found.Snapshots = append(found.Snapshots, Snapshot{Stream: r.Stream, Fold: fold, Version: r.Version, State: r.Body})
				return nil
			}
			r.EffectiveAt, r.RecordedAt = from.Time, at.Time
			found.Events = append(found.Events, r)
			return nil
		})
		return err
	})
}

// queueNeed asks for what is needed; what it answers is filled once the pipeline was sent.
func queueNeed(pipeline *pgx.Batch, n Need) *Found {
	found := &Found{Balances: map[string]money.Kobo{}}
	if n.Settle {
		pipeline.Queue(settle)
	}
	pipeline.Queue(selectSettled).QueryRow(func(row pgx.Row) error { return row.Scan(&found.Settled) })
	if len(n.Streams) > 0 {
		queueStreams(pipeline, n, found)
	}
	if n.Tail {
		pipeline.Queue(selectTailFrom, n.From, TailMax+1).Query(func(rows pgx.Rows) (err error) {
			found.Tail, err = pgx.CollectRows(rows, scanTail)
			return err
		})
	}
	if len(n.Accounts) > 0 {
		queueBalances(pipeline, n, found)
	}
	if len(n.Recorded) > 0 {
		queueRecorded(pipeline, n.Recorded, found)
	}
	queueRefusals(pipeline, n, found)
	return found
}

// queueRefusals asks for the refusals of commands, and how many there are of somebody's.
func queueRefusals(pipeline *pgx.Batch, n Need, found *Found) {
	if len(n.Refused) > 0 {
		pipeline.Queue(selectRefusals, n.Refused).Query(func(rows pgx.Rows) error {
			var (
				r    Refusal
				hash []byte
			)
			_, err := pgx.ForEachRow(rows, []any{&r.Command, &hash, &r.Fault.Code, &r.Fault.Message, &r.Fault.Field}, func() error {
				copy(r.Hash[:], hash)
				found.Refusals = append(found.Refusals, r)
				return nil
			})
			return err
		})
	}
	if len(n.Tried) > 0 {
		found.Tried = map[string]int{}
		pipeline.Queue(selectTried, n.Tried, n.TriedSince).Query(func(rows pgx.Rows) error {
			var (
				actor string
				count int
			)
			_, err := pgx.ForEachRow(rows, []any{&actor, &count}, func() error { found.Tried[actor] = count; return nil })
			return err
		})
	}
}

// queueBalances asks for the balances of accounts, and if they are wanted as of now for what has come since they were
// settled.
func queueBalances(pipeline *pgx.Batch, n Need, found *Found) {
	take := func(rows pgx.Rows) error {
		var (
			name string
			kobo money.Kobo
		)
		_, err := pgx.ForEachRow(rows, []any{&name, &kobo}, func() error { found.Balances[name] = kobo; return nil })
		return err
	}
	pipeline.Queue(selectBalances, n.Accounts).Query(take)
	if n.Now {
		pipeline.Queue(selectSince, n.Accounts).Query(take)
	}
}

// queueRecorded asks for the records of commands. A command whose events are all in partitions that are detached is
// archived.
func queueRecorded(pipeline *pgx.Batch, commands []uuid.UUID, found *Found) {
	pipeline.Queue(selectRecorded, commands).Query(func(rows pgx.Rows) (err error) {
		found.Recorded, err = pgx.CollectRows(rows, scanRecord)
		return err
	})
	pipeline.Queue(selectCommands, commands).Query(func(rows pgx.Rows) error {
		here := map[uuid.UUID]bool{}
		for i := range found.Recorded {
			here[found.Recorded[i].Command] = true
		}
		var id uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			if !here[id] {
				found.Archived = append(found.Archived, id)
			}
			return nil
		})
		return err
	})
}

// queueWrites is what is written seldom.
func queueWrites(pipeline *pgx.Batch, w Writes) {
	for _, s := range w.Snapshots {
		queueSnapshot(pipeline, s)
	}
	for i := range w.Refusals {
		r := &w.Refusals[i]
		pipeline.Queue("INSERT INTO commands VALUES ($1, 0, 0)", r.Command)
		pipeline.Queue("INSERT INTO refusals (command, command_hash, code, message, field, recorded_at, actor) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			r.Command, r.Hash[:], string(r.Fault.Code), r.Fault.Message, r.Fault.Field, w.Tip.RecordedAt, r.Actor)
	}
}

// scanTail reads a row of selectTailFrom.
func scanTail(row pgx.CollectableRow) (Followed, error) {
	var (
		r        Followed
		leaf     []byte
		accounts []string
		balances []int64
	)
	err := row.Scan(&r.Pos, &r.Stream, &r.Version, &r.Type, &r.EffectiveAt, &r.RecordedAt, &r.Body, &accounts, &balances, &leaf)
	copy(r.Leaf[:], leaf)
	for i := range accounts {
		r.Lines = append(r.Lines, event.Line{Account: accounts[i], Balance: money.Kobo(balances[i])})
	}
	return r, err
}

func queueSnapshot(pipeline *pgx.Batch, s Snapshot) {
	pipeline.Queue(`INSERT INTO snapshots AS s (stream, fold, version, state) VALUES ($1, $2, $3, $4)
		ON CONFLICT (stream, fold) DO UPDATE SET version = excluded.version, state = excluded.state WHERE s.version < excluded.version`,
		s.Stream, s.Fold, s.Version, s.State)
}

const columns = "pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances"

// scanRecord reads a row of columns.
func scanRecord(row pgx.CollectableRow) (event.Record, error) {
	var (
		r                 event.Record
		hash              []byte
		accounts          []string
		amounts, balances []int64
	)
	err := row.Scan(&r.Pos, &r.Stream, &r.Version, &r.Type, &r.Command, &r.Seq, &hash, &r.Actor, &r.Correlation,
		&r.EffectiveAt, &r.RecordedAt, &r.Body, &accounts, &amounts, &balances)
	if err != nil {
		return r, err
	}
	if len(hash) != len(r.CommandHash) || len(amounts) != len(accounts) || len(balances) != len(accounts) {
		return r, fmt.Errorf("%w: position %d: a row that the store did not write", ErrConstraint, r.Pos)
	}
	copy(r.CommandHash[:], hash)
	r.EffectiveAt, r.RecordedAt = r.EffectiveAt.In(time.UTC), r.RecordedAt.In(time.UTC)
	if len(accounts) > 0 {
		r.Lines = make([]event.Line, len(accounts))
	}
	for i := range accounts {
		r.Lines[i] = event.Line{Account: accounts[i], Amount: money.Kobo(amounts[i]), Balance: money.Kobo(balances[i])}
	}
	return r, nil
}
