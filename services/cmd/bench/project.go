package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/boot"
)

const (
	foldBatch  = 500  // The events that the engine folds in a transaction.
	offeredAll = 8000 // Events a second that all read models must keep up with.
)

var projecting = benchmark{name: "project", run: projectEach, rows: projectRows()}

func projectRows() []spec {
	var rows []spec
	for _, m := range projections.All() {
		rows = append(rows, spec{"project-" + m.Name, "events/s", bar{ratio: 0.60}})
	}
	return rows
}

var projectingAll = benchmark{name: "project-all", run: projectAll, rows: []spec{
	{"project-all", "events/s", bar{least: 0.95 * offeredAll, p99: 250}},
}}

// engineOf is an engine that updates some models from Postgres and sends no notifications.
func engineOf(pool *pgxpool.Pool, models ...engine.Model) *engine.Engine {
	return engine.New(engine.Options{
		Clock: time.Now,
		Pool:  pool, Models: models,
		Source: history.Source(pool),
		Head:   history.Heads(pool),
	})
}

// projectEach measures each read model alone while it catches up on a backlog of real events, read from Postgres and
// folded 500 a transaction, by all of its workers. The limit is a bare loop over as many, which reads and decodes
// nothing: see bareFolds.
func projectEach(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	head, err := w.grow(ctx, backlog)
	if err != nil {
		return nil, err
	}
	limit, err := w.bareFolds(ctx, int(head))
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, m := range projections.All() {
		ours, err := w.follow(ctx, m, head)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", m.Name, err)
		}
		rows = append(rows, ours.row("project-"+m.Name, limit))
	}
	return rows, nil
}

// follow makes one model's workers go from nothing to the head.
func (w *world) follow(ctx context.Context, m engine.Model, head int64) (sample, error) {
	e := engineOf(w.pool, m)
	if err := e.Prepare(ctx); err != nil {
		return sample{}, err
	}
	running, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer func() { cancel(); wg.Wait() }()
	forgetPeak()
	began := time.Now()
	wg.Go(func() { e.Run(running, nil, nil) })
	for {
		var pos int64
		if err := w.pool.QueryRow(ctx, "SELECT min(pos) FROM projections WHERE name = $1", m.Name).Scan(&pos); err != nil {
			return sample{}, err
		}
		if pos >= head {
			return sample{rate: float64(head) / time.Since(began).Seconds(), rss: peakMB()}, nil
		}
		if err := wait(ctx, 5*time.Millisecond); err != nil {
			return sample{}, fmt.Errorf("at position %d of %d: %w", pos, head, err)
		}
	}
}

// bareFolds is the limit: Postgres's rate for one balance and one activity row for each event, the row as the activity
// model stores it, with its columns and indexes.
func (w *world) bareFolds(ctx context.Context, events int) (float64, error) {
	if err := engineOf(w.pool, activity.Model()).Prepare(ctx); err != nil {
		return 0, err
	}
	if _, err := w.pool.Exec(ctx, `CREATE TABLE bare_balances (user_id text PRIMARY KEY, kobo bigint NOT NULL) WITH (fillfactor = 70);
		CREATE TABLE bare_movements (LIKE rm_movements INCLUDING ALL);
		CREATE TABLE bare_checkpoint (pos bigint NOT NULL); INSERT INTO bare_checkpoint VALUES (0)`); err != nil {
		return 0, err
	}
	users, kobo, positions := make([]string, foldBatch), make([]int64, foldBatch), make([]int64, foldBatch)
	began := time.Now()
	for done := 0; done < events; done += foldBatch {
		for i := range foldBatch {
			users[i], kobo[i], positions[i] = userID((done+i)%crowd), int64(done+i), int64(done+i+1)
		}
		err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(`INSERT INTO bare_balances SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (user_id) DO UPDATE SET kobo = excluded.kobo`, users, kobo)
			batch.Queue(`INSERT INTO bare_movements SELECT pos, gen_random_uuid(), u, 'CONTRIBUTION', k, false, 0, k, now(), now(), gen_random_uuid()::text, 1, $4, $5, '[]',
				jsonb_build_array(jsonb_build_object('account', 'wallet:' || u, 'kobo', -k), jsonb_build_object('account', 'sub:' || $5::text, 'kobo', k)), sha256(int8send(pos))
				FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS r (pos, u, k)`, positions, users, kobo, groupID(0), subID(0))
			batch.Queue("UPDATE bare_checkpoint SET pos = $1", positions[foldBatch-1])
			return tx.SendBatch(ctx, batch).Close()
		})
		if err != nil {
			return 0, err
		}
	}
	return float64(events) / time.Since(began).Seconds(), nil
}

// step is a position that all read models had reached at a time.
type step struct {
	pos int64
	at  time.Time
}

// projectAll offers 8,000 events a second to a whole process (appender, relay, sealer, every read model, HTTP idle). It
// measures each event from the answer to its append until every read model's position has passed it, as waiting readers
// would notice. The row's rate is the appends a second. There is no limit.
func projectAll(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.All)
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	var names []string
	for _, m := range projections.All() {
		names = append(names, m.Name)
	}
	// As after some time of running: it knows the wallets.
	err = each(crowd, 512, func(n int) error {
		_, err := d.App.Ledger.Append(ctx, w.contribution(n))
		return err
	})
	if err != nil {
		return nil, err
	}
	head, err := w.head(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.caughtUp(ctx, head, names); err != nil {
		return nil, err
	}
	const lasting = 2 * measured
	answered := make([]step, int(offeredAll*(warmUp+lasting).Seconds()))
	watching, stop := context.WithCancel(ctx)
	steps := make(chan []step, 1)
	go func() { steps <- d.watch(watching, names) }()
	ours, err := paced(ctx, offeredAll, lasting, func(n int) error {
		result, err := d.App.Ledger.Append(ctx, w.contribution(n))
		answered[n] = step{result.Position(), time.Now()}
		return err
	})
	if err == nil {
		head, err = w.head(ctx)
	}
	if err == nil {
		err = d.caughtUp(ctx, head, names)
	}
	time.Sleep(10 * time.Millisecond) // So that the watcher has also seen it.
	stop()
	passed := <-steps
	if err != nil {
		return nil, err
	}
	ours.latencies, err = lags(answered[int(offeredAll*warmUp.Seconds()):], passed)
	return []row{ours.row("project-all", 0)}, err
}

// caughtUp waits until the models have reached a position.
func (d *door) caughtUp(ctx context.Context, pos int64, models []string) error {
	for at := int64(0); at < pos; {
		if at = d.App.Tracker.WaitFor(ctx, pos, time.Second, models...); ctx.Err() != nil {
			return fmt.Errorf("the read models are at %d of %d: %w", at, pos, ctx.Err())
		}
	}
	return nil
}

// watch reads the models' positions every millisecond, until the context ends.
func (d *door) watch(ctx context.Context, models []string) []step {
	var steps []step
	for last := int64(0); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if pos := d.App.Tracker.Position(models...); pos > last {
			last = pos
			steps = append(steps, step{pos, time.Now()})
		}
	}
	return steps
}

// lags returns how long after each answer its position was passed, sorted; 0 for one that was passed before its answer.
func lags(answered, passed []step) ([]time.Duration, error) {
	out := make([]time.Duration, len(answered))
	for i, a := range answered {
		at, _ := slices.BinarySearchFunc(passed, a.pos, func(s step, pos int64) int { return int(s.pos - pos) })
		if at == len(passed) {
			return nil, fmt.Errorf("nobody saw the read models pass %d", a.pos)
		}
		out[i] = max(0, passed[at].at.Sub(a.at))
	}
	slices.Sort(out)
	return out, nil
}
