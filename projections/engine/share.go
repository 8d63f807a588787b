package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Several processes share the parts of all models. The owner of a part holds an advisory lock on one session of the
// engine. When the process dies its session ends too, and another process takes the part over within a turn. A process
// that hangs, or is cut off, sends nothing on that session, and Postgres ends it.
const (
	turn = 250 * time.Millisecond
	// hangMax is how long an owner may be silent before Postgres ends its session, which releases its locks.
	hangMax = 1500 * time.Millisecond
)

// unit is the work of one worker: a part of a model.
type unit struct {
	model string
	part  int
}

// owner holds locks on one session, and a worker for each.
type owner struct {
	engine   *Engine
	conn     *pgx.Conn
	presence int64
	workers  map[unit]*worker
}

// worker is a keeper that runs.
type worker struct {
	stop context.CancelFunc
	done chan struct{}
}

// share keeps this process's share of the parts until the context ends or the session is lost.
func (e *Engine) share(ctx context.Context) error {
	conn, err := e.connect(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	o := &owner{engine: e, conn: conn, workers: map[unit]*worker{}}
	defer func() {
		cancel()
		o.releaseAll()
		closing, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer done()
		_ = conn.Close(closing)
	}()
	if err := o.enter(ctx); err != nil {
		return err
	}
	for {
		asking, done := context.WithTimeout(ctx, hangMax)
		err := o.balance(asking, ctx)
		done()
		if err != nil {
			return err
		}
		if pause(ctx, turn); ctx.Err() != nil {
			return nil
		}
	}
}

// enter announces this process to the other processes that keep the same models.
func (o *owner) enter(ctx context.Context) error {
	_, err := o.conn.Exec(ctx, fmt.Sprintf("SET idle_session_timeout = %d; SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2", hangMax.Milliseconds()))
	if err != nil {
		return err
	}
	var build []string
	for _, m := range o.engine.Models {
		build = append(build, m.Name, strconv.Itoa(m.Version), strconv.Itoa(m.parts()))
	}
	raw, err := json.Marshal(build)
	if err != nil {
		return err
	}
	return o.conn.QueryRow(ctx, "SELECT k, pg_advisory_lock_shared(k)::text FROM (SELECT "+lockKey+" AS k) AS key", "present "+string(raw)).Scan(&o.presence, nil)
}

// lockKey is the key of an advisory lock by its name, in this schema.
const lockKey = "hashtextextended('adashi projections ' || current_schema() || ' ' || $1, 0)"

// balance takes parts that no process owns and gives back those beyond a fair share. Workers run within working.
func (o *owner) balance(ctx, working context.Context) error {
	units, err := o.keepable(ctx)
	if err != nil {
		return err
	}
	var present int
	err = o.conn.QueryRow(ctx, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (classid::bigint << 32) | objid::bigint = $1`, o.presence).Scan(&present)
	if err != nil {
		return err
	}
	fair := (len(units) + present - 1) / max(1, present)
	for u := range o.workers {
		if !slices.Contains(units, u) || len(o.workers) > fair {
			if err := o.release(ctx, u); err != nil {
				return err
			}
		}
	}
	for _, u := range units {
		if len(o.workers) >= fair {
			break
		}
		if err := o.take(ctx, working, u); err != nil {
			return err
		}
	}
	return nil
}

// keepable are the parts of the models whose stored version matches this build's.
func (o *owner) keepable(ctx context.Context) ([]unit, error) {
	var units []unit
	for _, m := range o.engine.Models {
		all, err := standing(ctx, o.conn, m.Name)
		if err != nil {
			return nil, err
		}
		if m.fits(all) != nil {
			continue
		}
		for part := range all {
			units = append(units, unit{m.Name, part})
		}
	}
	return units, nil
}

func (u unit) lock() string { return fmt.Sprintf("part %s %d", u.model, u.part) }

// take starts a worker for a part unless another process owns it.
func (o *owner) take(ctx, working context.Context, u unit) error {
	if _, ours := o.workers[u]; ours {
		return nil
	}
	var free bool
	if err := o.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockKey+")", u.lock()).Scan(&free); err != nil || !free {
		return err
	}
	m, err := o.engine.model(u.model)
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(working)
	w := &worker{stop: stop, done: make(chan struct{})}
	o.workers[u] = w
	go func() {
		defer close(w.done)
		newKeeper(o.engine, m, u.part).keep(working)
	}()
	return nil
}

// release ends a part's worker and releases its lock.
func (o *owner) release(ctx context.Context, u unit) error {
	w := o.workers[u]
	delete(o.workers, u)
	w.stop()
	<-w.done
	_, err := o.conn.Exec(ctx, "SELECT pg_advisory_unlock("+lockKey+")", u.lock())
	return err
}

// releaseAll ends every worker; the locks go with the session.
func (o *owner) releaseAll() {
	var wg sync.WaitGroup
	for _, w := range o.workers {
		w.stop()
		wg.Go(func() { <-w.done })
	}
	wg.Wait()
}
