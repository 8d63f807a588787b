package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"
)

// spending is the resource use of the program and its Postgres so far, by part.
type spending struct {
	seconds map[string]float64 // Of processor time.
	bytes   map[string]float64 // Written to the disk.
	disk    float64            // Bytes sent to the disk itself, by everything that runs.
	kept    float64            // The size of the database in bytes.
	wal     [5]float64         // Records, full pages, bytes, writes and syncs of Postgres's write-ahead log.
}

// spentAndWritten returns spent after a checkpoint, which completes all pending writes. The next write of each page
// logs the whole page.
func (w *world) spentAndWritten(ctx context.Context, p *program) (spending, error) {
	if _, err := w.pool.Exec(ctx, "CHECKPOINT"); err != nil {
		return spending{}, err
	}
	return w.spent(ctx, p)
}

// spent reads it. Postgres's parts are its own processes and, for its connections, the names that their pools give
// them. It leaves out autovacuum's workers: their usage is lost when they end.
func (w *world) spent(ctx context.Context, p *program) (spending, error) {
	s := spending{seconds: map[string]float64{}, bytes: map[string]float64{}}
	if err := w.pool.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&s.kept); err != nil {
		return s, err
	}
	if err := w.pool.QueryRow(ctx, "SELECT wal_records, wal_fpi, wal_bytes::float8, wal_write, wal_sync FROM pg_stat_wal").Scan(&s.wal[0], &s.wal[1], &s.wal[2], &s.wal[3], &s.wal[4]); err != nil {
		return s, err
	}
	rows, err := w.pool.Query(ctx, "SELECT pid, backend_type, coalesce(application_name, '') FROM pg_stat_activity WHERE backend_type <> 'autovacuum worker'")
	if err != nil {
		return s, err
	}
	var (
		pid        int
		kind, user string
	)
	_, err = pgx.ForEachRow(rows, []any{&pid, &kind, &user}, func() error {
		if kind == "client backend" {
			kind = cmp.Or(user, "the rest")
		}
		s.add("postgres: "+kind, pid)
		return nil
	})
	s.add("adashi", p.pid())
	s.disk = diskWritten(w.dir)
	return s, err
}

// diskWritten is the number of bytes sent to a folder's disk since the machine started, after all pending writes; 0
// where Linux does not say. It is less than the writes that processes report: those count a file's cached pages in full
// as often as they become dirty, and a file system may hold a log in pages of many kilobytes.
func diskWritten(dir string) float64 {
	var at unix.Stat_t
	if unix.Stat(dir, &at) != nil {
		return 0
	}
	unix.Sync()
	raw, err := os.ReadFile("/proc/diskstats")
	if err != nil {
		return 0
	}
	const sector = 512
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if len(f) > 9 && f[0] == fmt.Sprint(unix.Major(at.Dev)) && f[1] == fmt.Sprint(unix.Minor(at.Dev)) {
			sectors, _ := strconv.ParseFloat(f[9], 64)
			return sectors * sector
		}
	}
	return 0
}

const ticksPerSecond = 100 // Of /proc/<pid>/stat, on every Linux that we know.

func (s *spending) add(part string, pid int) {
	if raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
		var user, system float64
		if _, err := fmt.Sscan(string(fields[11])+" "+string(fields[12]), &user, &system); err == nil {
			s.seconds[part] += (user + system) / ticksPerSecond
		}
	}
	if written, err := field(fmt.Sprintf("/proc/%d/io", pid), "write_bytes:"); err == nil {
		s.bytes[part] += written
	}
}

// since returns the use since an earlier reading.
func (s spending) since(before spending) spending {
	for part, was := range before.seconds {
		s.seconds[part] -= was
	}
	for part, was := range before.bytes {
		s.bytes[part] -= was
	}
	s.kept -= before.kept
	s.disk -= before.disk
	for n, was := range before.wal {
		s.wal[n] -= was
	}
	return s
}

// and adds the use of two periods.
func (s spending) and(other spending) spending {
	both := spending{seconds: map[string]float64{}, bytes: map[string]float64{}, disk: s.disk + other.disk, kept: s.kept + other.kept, wal: s.wal}
	for _, one := range []spending{s, other} {
		for part, n := range one.seconds {
			both.seconds[part] += n
		}
		for part, n := range one.bytes {
			both.bytes[part] += n
		}
	}
	for n, more := range other.wal {
		both.wal[n] += more
	}
	return both
}

func sum(of map[string]float64) (total float64) {
	for _, one := range of {
		total += one
	}
	return total
}

func (s spending) cpu() float64     { return sum(s.seconds) }
func (s spending) written() float64 { return sum(s.bytes) }

// table formats the cost of a payment, by part, the most expensive first.
func (s spending) table(payments float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %14s %12s\n", "part", "s per 1,000", "KB written")
	for _, part := range slices.SortedFunc(maps.Keys(s.seconds), func(a, b string) int { return cmp.Compare(s.seconds[b], s.seconds[a]) }) {
		fmt.Fprintf(&b, "%-40s %14.4f %12.2f\n", part, s.seconds[part]*1000/payments, s.bytes[part]/1024/payments)
	}
	fmt.Fprintf(&b, "write-ahead log: %.1f records, %.3f full pages, %.2f KB, written %.3f and synced %.3f times\n",
		s.wal[0]/payments, s.wal[1]/payments, s.wal[2]/1024/payments, s.wal[3]/payments, s.wal[4]/payments)
	fmt.Fprintf(&b, "the disk was sent %.2f KB, by everything that ran\n", s.disk/1024/payments)
	return b.String()
}
