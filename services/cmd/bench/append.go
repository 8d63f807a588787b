package main

import (
	"context"
	"crypto/rand"
	"time"
)

var appends = []benchmark{
	{name: "append", run: append512, rows: []spec{{"append", "commands/s", bar{ratio: 0.30, p99: 30}}}},
	{name: "append-64", run: append64, rows: []spec{{"append-64", "commands/s", bar{ratio: 1, p99: 10}}}},
	{name: "append-hot", run: appendHot, rows: []spec{{"append-hot", "commands/s", bar{ratio: 0.90}}}},
	{name: "append-2", run: appendFrom("append-2", 2), rows: []spec{{"append-2", "commands/s", bar{ratio: 0.90}}}},
	{name: "append-4", run: appendFrom("append-4", 4), rows: []spec{{"append-4", "commands/s", bar{ratio: 0.90}}}},
}

// append512 measures contributions of 512 callers from 10,000 wallets, each a command with its idempotency, versions,
// funds check, two postings and leaf hash, durable, against raw inserts of rows of equal bytes.
func append512(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	ours, err := w.contributions(ctx, 512)
	if err != nil {
		return nil, err
	}
	limit, err := w.rawInserts(ctx)
	return []row{ours.row("append", limit)}, err
}

// append64 measures 64 callers against as many clients that insert one small row a transaction.
func append64(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	ours, err := w.contributions(ctx, 64)
	if err != nil {
		return nil, err
	}
	limit, err := w.singleInserts(ctx, 64)
	return []row{ours.row("append-64", limit)}, err
}

// appendHot has every command credit one group's pool, against commands spread over many.
func appendHot(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	spread, err := w.contributions(ctx, 512)
	if err != nil {
		return nil, err
	}
	hot, err := hammer(512, func(_, n int) error {
		_, err := w.ledger.Append(ctx, fresh(contribute(n*groups%crowd, 0)))
		return err
	})
	return []row{hot.row("append-hot", spread.rate)}, err
}

// rawInserts is the limit: 1,000 rows a transaction by unnest, as wide as our events, one transaction after another.
func (w *world) rawInserts(ctx context.Context) (float64, error) {
	var width int
	if err := w.pool.QueryRow(ctx, "SELECT avg(pg_column_size(e.*))::int FROM (SELECT * FROM events ORDER BY pos DESC LIMIT 1000) e").Scan(&width); err != nil {
		return 0, err
	}
	if _, err := w.pool.Exec(ctx, "CREATE TABLE raw (pos bigint PRIMARY KEY, body bytea NOT NULL)"); err != nil {
		return 0, err
	}
	const many = 1000
	positions, bodies := make([]int64, many), make([][]byte, many)
	for i := range bodies {
		bodies[i] = make([]byte, width)
		if _, err := rand.Read(bodies[i]); err != nil {
			return 0, err
		}
	}
	next, counted := int64(0), 0
	from := time.Now().Add(warmUp)
	for until := from.Add(measured); time.Now().Before(until); {
		for i := range positions {
			next++
			positions[i] = next
		}
		if _, err := w.pool.Exec(ctx, "INSERT INTO raw SELECT * FROM unnest($1::bigint[], $2::bytea[])", positions, bodies); err != nil {
			return 0, err
		}
		if time.Now().After(from) {
			counted += many
		}
	}
	return float64(counted) / measured.Seconds(), nil
}

// singleInserts is the rate of clients that insert one row in each transaction.
func (w *world) singleInserts(ctx context.Context, clients int) (float64, error) {
	if _, err := w.pool.Exec(ctx, "CREATE TABLE single (id bigint PRIMARY KEY, body bytea NOT NULL)"); err != nil {
		return 0, err
	}
	pool, err := w.connect(ctx, clients)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	body := make([]byte, 100)
	s, err := hammer(clients, func(_, n int) error {
		_, err := pool.Exec(ctx, "INSERT INTO single VALUES ($1, $2)", n, body)
		return err
	})
	return s.rate, err
}
