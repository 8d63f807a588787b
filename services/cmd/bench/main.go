// Command bench measures ours against the limit of the same machine in the same run, on a Postgres of its own with
// durable settings. It prints a table and writes bench/latest.json. Medians of three runs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"adashi.ng/services/internal/boot"
)

// row is one line of the table.
type row struct {
	Name  string  `json:"name"`
	Ours  float64 `json:"ours"`
	Limit float64 `json:"limit"`
	Ratio float64 `json:"ratio"`
	Unit  string  `json:"unit"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	RSS   float64 `json:"rss_mb"`
	Bar   string  `json:"bar"`
}

// benchmark measures one thing once: ours and the limit.
type benchmark struct {
	name, unit, bar string
	run             func(ctx context.Context, w *world) (ours sample, limit float64, err error)
}

var benchmarks = []benchmark{
	{"append", "commands/s", "≥ 0.30", appendMany(512)},
	{"append-64", "commands/s", "≥ 1.00", append64},
	{"append-hot", "commands/s", "≥ 0.90", appendHot},
	{"append-2", "commands/s", "≥ 0.90", appendFrom(2)},
	{"append-4", "commands/s", "≥ 0.90", appendFrom(4)},
	{"http-contribute", "requests/s", "≥ 6,000/s", httpContribute},
}

// runs is how often each is measured; its median counts. ADASHI_BENCH_RUNS changes it while tuning.
var runs = max(1, atoi(os.Getenv("ADASHI_BENCH_RUNS"), 3))

func main() {
	boot.Tune()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	if len(os.Args) == 3 && os.Args[1] == "worker" {
		if err := work(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(only []string) error {
	var rows []row
	for _, b := range benchmarks {
		if len(only) > 0 && !slices.Contains(only, b.name) {
			continue
		}
		r, err := measure(b)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return fmt.Errorf("there is no benchmark %s", strings.Join(only, ", "))
	}
	print(rows)
	raw, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll("bench", 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("bench", "latest.json"), raw, 0o644)
}

// measure runs a benchmark three times, each on a world of its own, and keeps the run whose ratio is the median.
func measure(b benchmark) (row, error) {
	var all []row
	for range runs {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		w, err := newWorld(ctx)
		if err != nil {
			cancel()
			return row{}, err
		}
		ours, limit, err := b.run(ctx, w)
		rss := rssMB()
		w.close()
		cancel()
		if err != nil {
			return row{}, err
		}
		all = append(all, row{
			Name: b.name, Ours: ours.rate, Limit: limit, Ratio: ours.rate / limit, Unit: b.unit,
			P50: ours.percentile(50), P99: ours.percentile(99), RSS: rss, Bar: b.bar,
		})
	}
	slices.SortFunc(all, func(a, b row) int { return int((a.Ratio - b.Ratio) * 1e6) })
	return all[runs/2], nil
}

func print(rows []row) {
	fmt.Printf("%d cores, %s\n\n", runtime.NumCPU(), runtime.Version())
	fmt.Println("| name | ours | limit, same run | ratio | unit | p50 ms | p99 ms | RSS MB | bar |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Printf("| %s | %.0f | %.0f | %.2f | %s | %.2f | %.2f | %.0f | %s |\n", r.Name, r.Ours, r.Limit, r.Ratio, r.Unit, r.P50, r.P99, r.RSS, r.Bar)
	}
}

// rssMB is this process's resident memory, Postgres not included.
func rssMB() float64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * float64(os.Getpagesize()) / (1 << 20)
}
