package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// profiles is the folder that profiles are written to; empty for none.
func profiles() string { return os.Getenv("ADASHI_BENCH_PROFILE") }

// profile writes profiles of this process's time and memory into the folder of profiles, if there is one.
func profile(name string) (stop func(), err error) {
	if profiles() == "" {
		return func() {}, nil
	}
	file, err := os.Create(filepath.Join(profiles(), name+".pprof"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		closed := file.Close()
		file, err := os.Create(filepath.Join(profiles(), name+".allocs"))
		if err == nil {
			err = errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
		}
		err = errors.Join(closed, err)
		if err != nil {
			fmt.Fprintln(os.Stderr, "profile:", err)
		}
	}, nil
}

// statementsCounted makes Postgres count its statements' time while profiles are written. It needs Postgres's contrib
// package.
func statementsCounted() map[string]string {
	if profiles() == "" {
		return nil
	}
	return map[string]string{"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track": "all", "compute_query_id": "on"}
}

// reportStatements writes Postgres's time by statement next to the CPU profile.
func (w *world) reportStatements(name string) {
	if profiles() == "" || w.pool == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := w.writeStatements(ctx, filepath.Join(profiles(), name+".statements")); err != nil {
		fmt.Fprintln(os.Stderr, "statements:", err)
	}
}

// profiled is profile that also records Postgres's time by statement.
func (w *world) profiled(ctx context.Context, name string) (stop func(), err error) {
	if profiles() == "" {
		return func() {}, nil
	}
	for _, statement := range []string{"CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public", "SELECT public.pg_stat_statements_reset()"} {
		if _, err := w.pool.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	stopped, err := profile(name)
	return func() { stopped(); w.reportStatements(name) }, err
}

func (w *world) writeStatements(ctx context.Context, path string) error {
	if _, err := w.pool.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public"); err != nil {
		return err
	}
	rows, err := w.pool.Query(ctx, "SELECT total_exec_time, calls, rows, toplevel, query FROM public.pg_stat_statements ORDER BY total_exec_time DESC LIMIT 80")
	if err != nil {
		return err
	}
	var (
		out         strings.Builder
		took        float64
		calls, many int64
		top         bool
		query       string
	)
	_, err = pgx.ForEachRow(rows, []any{&took, &calls, &many, &top, &query}, func() error {
		fmt.Fprintf(&out, "%9.0f ms %8d calls %9d rows top=%-5t %s\n", took, calls, many, top, strings.Join(strings.Fields(query), " "))
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(out.String()), 0o600)
}
