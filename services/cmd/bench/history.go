package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
)

const (
	historyEvents = 1_000_000
	liveRate      = 2000 // Commands a second while everything is rebuilt.
)

// histories measure work over a whole ledger of a million real events.
var histories = []benchmark{
	{name: "history", once: true, limit: 15 * time.Minute, run: ofHistory((*world).replay, (*world).verify), rows: []spec{
		{"replay", "events/s", bar{ratio: 0.35}},
		{"verify", "events/s", bar{ratio: 0.15}},
	}},
	{name: "rebuild", once: true, limit: 15 * time.Minute, run: ofHistory((*world).rebuild), rows: []spec{{"rebuild", "s", bar{most: 60, rss: 200}}}},
	{name: "rebuild-live", once: true, limit: 20 * time.Minute, run: ofHistory((*world).rebuildOnce, (*world).rebuildLive), rows: []spec{{"rebuild-live", "s", bar{}}}},
}

func ofHistory(parts ...func(*world, context.Context, int64) (row, error)) func(context.Context, *world) ([]row, error) {
	return func(ctx context.Context, w *world) ([]row, error) {
		if err := w.populate(ctx, crowd); err != nil {
			return nil, err
		}
		head, err := w.grow(ctx, historyEvents)
		if err != nil {
			return nil, err
		}
		w.closeLedger() // Its memory must not count.
		var (
			rows   []row
			failed []error
		)
		for _, part := range parts {
			r, err := part(w, ctx, head)
			if err != nil {
				failed = append(failed, err)
			} else if r.Name != "" {
				rows = append(rows, r)
			}
		}
		return rows, errors.Join(failed...)
	}
}

// counted counts the bytes that are written to it.
type counted int64

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}

// rawRead is the limit of everything that reads all events: their bodies, and nothing else, copied into this process.
func (w *world) rawRead(ctx context.Context, head int64) (float64, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	began := time.Now()
	var bytes counted
	tag, err := conn.Conn().PgConn().CopyTo(ctx, &bytes, "COPY (SELECT body FROM events) TO STDOUT (FORMAT binary)")
	if err == nil && tag.RowsAffected() != head {
		err = fmt.Errorf("read %d events of %d", tag.RowsAffected(), head)
	}
	return float64(head) / time.Since(began).Seconds(), err
}

// replay measures folding the state of every stream from all events, against reading the bare bodies.
func (w *world) replay(ctx context.Context, head int64) (row, error) {
	if _, err := w.rawRead(ctx, head); err != nil { // Once for the page cache.
		return row{}, err
	}
	limit, err := w.rawRead(ctx, head)
	if err != nil {
		return row{}, err
	}
	forgetPeak()
	began := time.Now()
	streams, err := replay.All(ctx, w.pool, ledger.Aggregates(), head)
	if err != nil {
		return row{}, err
	}
	ours := sample{rate: float64(head) / time.Since(began).Seconds(), rss: peakMB()}
	var events int64
	for _, s := range streams {
		events += s.Version
	}
	if events != head {
		return row{}, fmt.Errorf("folded %d events of %d", events, head)
	}
	return ours.row("replay", limit), nil
}

// verify measures the verification of a sealed ledger as adashi ledger verify does it without the stream and the read
// models (leaf hashes, postings, balances, versions, transitions, the Merkle tree, commands, accounts), against reading
// the bare bodies. A violation fails it.
func (w *world) verify(ctx context.Context, head int64) (row, error) {
	limit, err := w.rawRead(ctx, head)
	if err != nil {
		return row{}, err
	}
	keys, _, err := w.seal(ctx)
	if err != nil {
		return row{}, err
	}
	forgetPeak()
	report, err := audit.Verify(ctx, audit.Options{Pool: w.pool, Keys: keys, Aggregates: ledger.Aggregates(), NoStream: "it is not measured"})
	if err != nil {
		return row{}, err
	}
	if n := report.Violations(); n > 0 || report.Head != head {
		return row{}, fmt.Errorf("verified up to %d of %d with %d violations", report.Head, head, n)
	}
	return sample{rate: float64(head) / report.Took.Seconds(), rss: peakMB()}.row("verify", limit), nil
}

// rebuild measures making every read model from nothing, as a build with newer ones does it, against COPY of the
// resulting rows into tables without indexes.
func (w *world) rebuild(ctx context.Context, head int64) (row, error) {
	took, rss, err := w.rebuildFresh(ctx, head)
	if err != nil {
		return row{}, err
	}
	limit, err := w.copied(ctx)
	return seconds("rebuild", took, limit, rss), err
}

// rebuildOnce makes every read model and measures nothing.
func (w *world) rebuildOnce(ctx context.Context, head int64) (row, error) {
	_, _, err := w.rebuildFresh(ctx, head)
	return row{}, err
}

func (w *world) rebuildFresh(ctx context.Context, head int64) (took time.Duration, rss float64, err error) {
	e := engineOf(w.pool, projections.All()...)
	if err := e.Prepare(ctx); err != nil {
		return 0, 0, err
	}
	// The existing tables are of an older build: there is nothing to compare with, and the target is the head.
	if _, err := w.pool.Exec(ctx, "UPDATE projections SET version = version - 1"); err != nil {
		return 0, 0, err
	}
	forgetPeak()
	began := time.Now()
	results, err := e.RebuildAll(ctx, nil)
	took, rss = time.Since(began), peakMB()
	for _, r := range results {
		if err == nil && r.Position < head {
			err = fmt.Errorf("read model %s was rebuilt to %d of %d", r.Model, r.Position, head)
		}
	}
	return took, rss, err
}

// copied is how long COPY of all rows of the read models takes, from a file into a table without indexes, one after
// another.
func (w *world) copied(ctx context.Context) (total time.Duration, err error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	for _, m := range projections.All() {
		for _, table := range m.Tables {
			took, err := copyTable(ctx, conn.Conn().PgConn(), pgx.Identifier{table}.Sanitize(), filepath.Join(w.dir, table))
			if err != nil {
				return 0, fmt.Errorf("copy %s: %w", table, err)
			}
			total += took
		}
	}
	return total, nil
}

func copyTable(ctx context.Context, conn *pgconn.PgConn, table, path string) (time.Duration, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer os.Remove(path)
	defer file.Close()
	if _, err := conn.CopyTo(ctx, file, "COPY "+table+" TO STDOUT (FORMAT binary)"); err != nil {
		return 0, err
	}
	if _, err := file.Seek(0, 0); err != nil {
		return 0, err
	}
	if _, err := conn.Exec(ctx, "CREATE TABLE copied (LIKE "+table+")").ReadAll(); err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := conn.CopyFrom(ctx, file, "COPY copied FROM STDIN (FORMAT binary)"); err != nil {
		return 0, err
	}
	took := time.Since(began)
	_, err = conn.Exec(ctx, "DROP TABLE copied").ReadAll()
	return took, err
}

// rebuildLive measures rebuilding every read model beside the serving ones, while 2,000 commands a second arrive and
// the serving ones keep up: the seconds until all have been replaced, and the latency of appends meanwhile. It fails
// unless each new model was compared with the serving one and both had the same digest.
func (w *world) rebuildLive(ctx context.Context, _ int64) (row, error) {
	e := engineOf(w.pool, projections.All()...)
	keeping, stop := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() { defer close(kept); e.Run(keeping, nil, nil) }()
	defer func() { stop(); <-kept }()
	w.openLedger()
	// As after some time of running: the states of members' streams are in memory.
	if err := each(w.wallets, 256, func(n int) error {
		_, err := w.ledger.Append(ctx, w.contribution(n))
		return err
	}); err != nil {
		return row{}, err
	}
	arriving, enough := context.WithCancel(ctx)
	type arrived struct {
		appends sample
		err     error
	}
	arrivals := make(chan arrived, 1)
	go func() {
		s, err := paced(arriving, liveRate, 10*time.Minute, func(n int) error {
			_, err := w.ledger.Append(ctx, w.contribution(n))
			return err
		})
		arrivals <- arrived{s, err}
	}()
	began := time.Now()
	results, err := e.RebuildAll(ctx, nil)
	took := time.Since(began)
	enough()
	a := <-arrivals
	if err := errors.Join(err, a.err, same(results)); err != nil {
		return row{}, err
	}
	r := seconds("rebuild-live", took, 0, a.appends.rss)
	r.P50, r.P99 = a.appends.percentile(50), a.appends.percentile(99)
	return r, nil
}

// same fails unless every model was compared with the one that served.
func same(results []engine.Result) error {
	if len(results) != len(projections.All()) {
		return fmt.Errorf("%d of %d read models were rebuilt", len(results), len(projections.All()))
	}
	for _, r := range results {
		if !r.Compared || r.Digest == "" {
			return fmt.Errorf("read model %s flipped without a comparison", r.Model)
		}
	}
	return nil
}
