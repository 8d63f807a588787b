package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger"
	"adashi.ng/ledger/store"
)

// worker is what one of several processes is asked to do: bench worker <json>.
type worker struct {
	DSN     string    `json:"dsn"`
	Callers int       `json:"callers"`
	First   int       `json:"first"`
	Apart   int       `json:"apart"` // Its callers are First, First+Apart, …, so that the processes' wallets overlap but not in step.
	Start   time.Time `json:"start"`
}

// worked is what it came to.
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

// sound checks that what several processes wrote has no gap and no stream out of order.
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
	self, err := os.Executable()
	if err != nil {
		return sample{}, err
	}
	results := make([]worked, processes)
	start := time.Now().Add(time.Second)
	err = each(processes, processes, func(n int) error {
		task, err := json.Marshal(worker{w.server.URL("postgres"), 512 / processes, n, processes, start})
		if err != nil {
			return err
		}
		command := exec.CommandContext(ctx, self, "worker", string(task))
		command.Stderr = os.Stderr
		raw, err := command.Output()
		if err != nil {
			return fmt.Errorf("process %d: %w", n, err)
		}
		return json.Unmarshal(raw, &results[n])
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

// work is one of the processes.
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
	time.Sleep(time.Until(w.Start))
	done, err := hammer(w.Callers, func(_, n int) error {
		n = n*w.Apart + w.First
		_, err := s.Append(ctx, fresh(contribute(n%crowd, n%crowd%groups)))
		return err
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(worked{done.rate, done.latencies, done.rss})
}

func atoi(s string, otherwise int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return otherwise
}
