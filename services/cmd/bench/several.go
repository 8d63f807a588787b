package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/store"
)

// worker is the task of one of several processes: bench worker <json>.
type worker struct {
	DSN     string `json:"dsn"`
	Callers int    `json:"callers"`
	First   int    `json:"first"`
	Apart   int    `json:"apart"` // Its contributions are numbers First, First+Apart, …
}

// worked is a worker's result.
type worked struct {
	Rate      float64         `json:"rate"`
	Latencies []time.Duration `json:"latencies"`
	RSS       float64         `json:"rss"`
}

// appendFrom measures 512 callers spread over so many processes against the same callers in one. A refusal, a gap or a
// stream out of order fails it. The memory is the sum of the processes'.
func appendFrom(name string, processes int) func(context.Context, *world) ([]row, error) {
	return func(ctx context.Context, w *world) ([]row, error) {
		if err := w.populate(ctx, crowd); err != nil {
			return nil, err
		}
		one, err := w.contributions(ctx, 512)
		if err != nil {
			return nil, err
		}
		before, err := w.head(ctx)
		if err != nil {
			return nil, err
		}
		all, err := w.spawn(ctx, processes)
		if err != nil {
			return nil, err
		}
		if err := w.sound(ctx, before); err != nil {
			return nil, err
		}
		return []row{all.row(name, one.rate)}, nil
	}
}

// sound checks that the events of several processes have no gap and no stream out of order.
func (w *world) sound(ctx context.Context, after int64) error {
	var events, head, torn int64
	err := w.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM events), (SELECT pos FROM ledger_head),
		(SELECT count(*) FROM (SELECT version - lag(version) OVER (PARTITION BY stream ORDER BY pos) AS step FROM events) s WHERE step <> 1)`).Scan(&events, &head, &torn)
	if err == nil && (events != head || torn > 0 || head <= after) {
		return fmt.Errorf("%d events, the head at %d, %d out of order", events, head, torn)
	}
	return err
}

func (w *world) spawn(ctx context.Context, processes int) (sample, error) {
	results := make([]worked, processes)
	var warm sync.WaitGroup
	warm.Add(processes)
	err := each(processes, processes, func(n int) (err error) {
		results[n], err = worker{w.server.URL("postgres"), 512 / processes, n, processes}.spawn(ctx, &warm)
		if err != nil {
			return fmt.Errorf("process %d: %w", n, err)
		}
		return nil
	})
	var out sample
	for _, r := range results {
		out.rate += r.Rate
		out.rss += r.RSS
		out.latencies = append(out.latencies, r.Latencies...)
	}
	slices.Sort(out.latencies)
	return out, err
}

// spawn starts the process, makes it work once all are warm, and returns its result.
func (w worker) spawn(ctx context.Context, warm *sync.WaitGroup) (result worked, err error) {
	isWarm := sync.OnceFunc(warm.Done)
	defer isWarm()
	self, err := os.Executable()
	if err != nil {
		return result, err
	}
	task, err := json.Marshal(w)
	if err != nil {
		return result, err
	}
	command := exec.CommandContext(ctx, self, "worker", string(task))
	command.Stderr = os.Stderr
	start, err := command.StdinPipe()
	if err != nil {
		return result, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return result, err
	}
	if err := command.Start(); err != nil {
		return result, err
	}
	said := json.NewDecoder(out)
	err = said.Decode(&struct{}{})
	isWarm()
	warm.Wait()
	if err == nil {
		_ = start.Close()
		err = said.Decode(&result)
	}
	return result, errors.Join(err, command.Wait())
}

// work runs one of the processes. It prints {} when it has read its wallets, and starts when its input ends.
func work(task string) error {
	var w worker
	if err := json.Unmarshal([]byte(task), &w); err != nil {
		return err
	}
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, w.DSN)
	if err != nil {
		return err
	}
	defer pool.Close()
	s := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	defer s.Close()
	one := func(n int) error {
		n = (n*w.Apart + w.First) % crowd
		_, err := s.Append(ctx, fresh(contribute(n, n%groups)))
		return err
	}
	if err := each(crowd/w.Apart, w.Callers, one); err != nil {
		return err
	}
	said := json.NewEncoder(os.Stdout)
	if err := said.Encode(struct{}{}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	done, err := hammer(w.Callers, func(_, n int) error { return one(n) })
	if err != nil {
		return err
	}
	return said.Encode(worked{done.rate, done.latencies, done.rss})
}

func atoi(s string, otherwise int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return otherwise
}
