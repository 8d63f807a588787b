// Command bench measures our program against the limit of the same machine in the same run, on its own Postgres and
// NATS with durable settings. It prints a table and writes bench/latest.json.
//
//	bench [-list] [name …]
//
// A name is a row's or a benchmark's. Each benchmark runs in a process of its own, three times, and each row's median
// by ratio counts; the heavy ones run once. Every run has a world of its own, which it removes at its end.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"adashi.ng/services/internal/boot"
)

// benchmark measures one thing once and returns its rows, including those that were done before a failure.
type benchmark struct {
	name  string
	once  bool          // Too heavy for three times.
	apart bool          // It has profiles of its loads, and none of the whole.
	bare  bool          // It needs no ledger: the world is an empty folder.
	limit time.Duration // The time limit of one run; 5 minutes when zero.
	rows  []spec
	run   func(ctx context.Context, w *world) ([]row, error)
}

// benchmarks is the one list, in the order of the table.
var benchmarks = slices.Concat(wholes, []benchmark{ajoContributes, ajoPages, ajoYears}, appends, overTheWire, []benchmark{relaying, projecting, projectingAll}, histories, replaysAt, []benchmark{labs, bundles, livePages, bigGroups, logins, growing, processes})

// runs is how many times each is measured. ADASHI_BENCH_RUNS changes it while tuning.
var runs = max(1, atoi(os.Getenv("ADASHI_BENCH_RUNS"), 3))

func main() {
	boot.Tune()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		cancel()
		os.Exit(1)
	}
}

// command runs the requested command. Only this program uses the first three: see appendFrom, inChild and whole.
func command(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "worker":
		return work(args[1])
	case len(args) == 3 && args[0] == "child":
		return child(ctx, args[1], args[2])
	case len(args) == 2 && args[0] == "load":
		return makeLoad(args[1])
	case len(args) == 1 && args[0] == "-list":
		list()
		return nil
	}
	return run(ctx, args)
}

func list() {
	for _, b := range benchmarks {
		times := fmt.Sprintf("%d runs", runs)
		if b.once {
			times = "1 run"
		}
		fmt.Printf("%s (%s)\n", b.name, times)
		for _, s := range b.rows {
			fmt.Printf("  %-24s %-12s %s\n", s.name, s.unit, s.bar)
		}
	}
}

// asked reports whether the benchmark was asked for, by its name or by a row's.
func (b benchmark) asked(names []string) bool {
	return len(names) == 0 || slices.Contains(names, b.name) || slices.ContainsFunc(b.rows, func(s spec) bool { return slices.Contains(names, s.name) })
}

// known fails on an unknown name.
func known(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(benchmarks, func(b benchmark) bool { return b.asked([]string{name}) }) {
			return fmt.Errorf("there is no benchmark %s: see bench -list", name)
		}
	}
	return nil
}

// run measures all requested benchmarks. It prints a failure below the table; the other benchmarks keep their rows.
func run(ctx context.Context, names []string) error {
	if err := known(names); err != nil {
		return err
	}
	var (
		rows   []row
		failed []error
	)
	for _, b := range benchmarks {
		if !b.asked(names) || ctx.Err() != nil {
			continue
		}
		began := time.Now()
		measured, err := measure(ctx, b)
		fmt.Fprintf(os.Stderr, "%s: %.0f s\n", b.name, time.Since(began).Seconds())
		rows = append(rows, measured...)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", b.name, err))
		}
	}
	print(rows)
	if err := save(rows); err != nil {
		return err
	}
	return errors.Join(append(failed, ctx.Err())...)
}

// measure runs a benchmark as often as required and keeps the median of each row.
func measure(ctx context.Context, b benchmark) ([]row, error) {
	times := runs
	if b.once {
		times = 1
	}
	all := map[string][]row{}
	var failed error
	for range times {
		rows, err := inChild(ctx, b)
		for _, r := range rows {
			all[r.Name] = append(all[r.Name], r)
		}
		if err != nil {
			failed = err
			break
		}
	}
	var medians []row
	for _, s := range b.rows {
		if found := all[s.name]; len(found) > 0 {
			medians = append(medians, s.judge(median(found)))
		} else if failed == nil {
			failed = fmt.Errorf("there is no row %s", s.name)
		}
	}
	return medians, failed
}

// median goes by the ratio, or by the 99th percentile when there is no limit.
func median(rows []row) row {
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.Ratio, b.Ratio), cmp.Compare(a.P99, b.P99)) })
	return rows[len(rows)/2]
}

// outcome is a child's result.
type outcome struct {
	Rows  []row  `json:"rows"`
	Error string `json:"error"`
}

// inChild runs a benchmark once in a process of its own, so that it inherits no other's heap, and removes everything
// that it leaves behind.
func inChild(ctx context.Context, b benchmark) ([]row, error) {
	dir, err := os.MkdirTemp("", "adashi-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // Postgres runs as another user when we are root.
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, self, "child", b.name, dir)
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = time.Minute
	c.Stderr = os.Stderr
	raw, err := c.Output()
	var o outcome
	if decoded := json.NewDecoder(bytes.NewReader(raw)).Decode(&o); decoded != nil {
		return nil, errors.Join(err, decoded)
	}
	if o.Error != "" {
		return o.Rows, errors.New(o.Error)
	}
	return o.Rows, err
}

// child is such a process.
func child(ctx context.Context, name, dir string) error {
	at := slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == name })
	if at < 0 {
		return fmt.Errorf("there is no benchmark %s", name)
	}
	if !benchmarks[at].apart {
		stop, err := profile(name)
		if err != nil {
			return err
		}
		defer stop()
	}
	rows, err := benchmarks[at].inWorld(ctx, dir)
	o := outcome{Rows: rows}
	if err != nil {
		o.Error = strings.TrimSpace(err.Error())
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

// inWorld runs the benchmark in a world of its own.
func (b benchmark) inWorld(ctx context.Context, dir string) ([]row, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(b.limit, 5*time.Minute))
	defer cancel()
	w := &world{dir: dir}
	defer w.close()
	if !b.apart {
		defer w.reportStatements(b.name)
	}
	if !b.bare {
		if err := w.start(ctx); err != nil {
			return nil, err
		}
	}
	return b.run(ctx, w)
}
