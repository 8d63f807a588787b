package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"adashi.ng/ledger/base/pgchild"
)

// row is one line of the table. Its name says which spec it belongs to.
type row struct {
	Name  string  `json:"name"`
	Ours  float64 `json:"ours"`
	Limit float64 `json:"limit"` // In the same run and unit; 0 when there is none.
	Ratio float64 `json:"ratio"` // Our value as a share of the limit, whether more is better or less; 0 without a limit.
	Unit  string  `json:"unit"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	RSS   float64 `json:"rss_mb"` // The maximum memory of this process, including load generators, during our measurement.
	Bar   string  `json:"bar"`
	Met   *bool   `json:"met"` // Nil for a row without a bar.
}

// spec explains a row and sets its bar. Zero fields of a bar require nothing.
type spec struct {
	name, unit string
	bar        bar
}

// bar is what a row must reach, all of it.
type bar struct {
	ratio float64 // At least.
	least float64 // Of ours.
	most  float64 // Of ours.
	p99   float64 // Milliseconds at most.
	rss   float64 // Megabytes at most.
}

func (b bar) String() string {
	var parts []string
	for _, p := range []struct {
		format string
		value  float64
	}{{"ratio ≥ %.2f", b.ratio}, {"≥ %.0f", b.least}, {"≤ %g", b.most}, {"p99 ≤ %.0f ms", b.p99}, {"RSS ≤ %.0f MB", b.rss}} {
		if p.value > 0 {
			parts = append(parts, fmt.Sprintf(p.format, p.value))
		}
	}
	return strings.Join(parts, ", ")
}

func (b bar) met(r row) bool {
	return r.Ratio >= b.ratio && r.Ours >= b.least && (b.most == 0 || r.Ours <= b.most) && (b.p99 == 0 || r.P99 <= b.p99) && (b.rss == 0 || r.RSS <= b.rss)
}

// judge compares a row with the spec.
func (s spec) judge(r row) row {
	r.Unit, r.Bar = s.unit, s.bar.String()
	if r.Bar != "" {
		met := s.bar.met(r)
		r.Met = &met
	}
	return r
}

// print writes the machine and the table. A dash is a value that a row does not measure.
func print(rows []row) {
	fmt.Printf("%d cores, %s of memory, %s, %s\n\n", runtime.NumCPU(), memory(), runtime.Version(), postgresVersion())
	fmt.Println("| name | ours | limit, same run | ratio | unit | p50 ms | p99 ms | RSS MB | bar | met |")
	fmt.Println("|---|---:|---:|---:|---|---:|---:|---:|---|---|")
	for _, r := range rows {
		met := "–"
		if r.Met != nil {
			met = map[bool]string{true: "yes", false: "NO"}[*r.Met]
		}
		digits := 0
		if r.Ours < 100 {
			digits = 2
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Name, figure(r.Ours, digits), figure(r.Limit, digits), figure(r.Ratio, 2),
			r.Unit, figure(r.P50, 2), figure(r.P99, 2), figure(r.RSS, 0), r.Bar, met)
	}
}

func figure(value float64, digits int) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf("%.*f", digits, value)
}

// save writes bench/latest.json.
func save(rows []row) error {
	raw, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll("bench", 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("bench", "latest.json"), append(raw, '\n'), 0o644)
}

// memory is the machine's memory.
func memory() string {
	kb, err := field("/proc/meminfo", "MemTotal:")
	if err != nil {
		return "an unknown amount"
	}
	return fmt.Sprintf("%.0f GB", kb/(1<<20))
}

func postgresVersion() string {
	bin, err := pgchild.FindBin()
	if err != nil {
		return "no Postgres"
	}
	out, err := exec.Command(filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		return "an unknown Postgres"
	}
	fields := strings.Fields(string(out)) // postgres (PostgreSQL) 15.18 …
	if len(fields) < 3 {
		return "an unknown Postgres"
	}
	return "PostgreSQL " + fields[2]
}

// field reads a number of a file of /proc by its name.
func field(path, name string) (float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			var value float64
			_, err := fmt.Sscan(rest, &value)
			return value, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, name)
}
