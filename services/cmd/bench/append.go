package main

import (
	"context"
	"crypto/rand"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/money"
	"adashi.ng/ledger/savings"
)

func contribute(user, group int) savings.Contribute {
	return savings.Contribute{
		GroupID: groupID(group), SubAccountID: subID(group), User: userID(user), Amount: money.Kobo(1), Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Now(),
	}
}

// appendMany measures contributions from 10,000 wallets against raw inserts of rows of equal bytes.
func appendMany(callers int) func(context.Context, *world) (sample, float64, error) {
	return func(ctx context.Context, w *world) (sample, float64, error) {
		if err := w.populate(ctx); err != nil {
			return sample{}, 0, err
		}
		ours, err := w.contributions(ctx, callers, func(n int) (int, int) { return n % wallets, n % wallets % groups })
		if err != nil {
			return ours, 0, err
		}
		limit, err := w.rawInserts(ctx)
		return ours, limit, err
	}
}

func (w *world) contributions(ctx context.Context, callers int, who func(n int) (user, group int)) (sample, error) {
	return hammer(callers, func(_, n int) error {
		_, err := w.ledger.Append(ctx, command(contribute(who(n))))
		return err
	})
}

// append64 measures 64 callers against as many clients that insert one small row a transaction.
func append64(ctx context.Context, w *world) (sample, float64, error) {
	if err := w.populate(ctx); err != nil {
		return sample{}, 0, err
	}
	ours, err := w.contributions(ctx, 64, func(n int) (int, int) { return n % wallets, n % wallets % groups })
	if err != nil {
		return ours, 0, err
	}
	limit, err := w.singleInserts(ctx, 64)
	return ours, limit, err
}

// appendHot has every command credit one group's pool, against commands spread over many.
func appendHot(ctx context.Context, w *world) (sample, float64, error) {
	if err := w.populate(ctx); err != nil {
		return sample{}, 0, err
	}
	spread, err := w.contributions(ctx, 512, func(n int) (int, int) { return n % wallets, n % wallets % groups })
	if err != nil {
		return spread, 0, err
	}
	hot, err := w.contributions(ctx, 512, func(n int) (int, int) { return n * groups % wallets, 0 })
	return hot, spread.rate, err
}

// rawInserts is the limit: 1,000 rows a transaction by unnest, as wide as our events, one after the other.
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

// singleInserts is what a client a transaction comes to.
func (w *world) singleInserts(ctx context.Context, clients int) (float64, error) {
	if _, err := w.pool.Exec(ctx, "CREATE TABLE single (id bigint PRIMARY KEY, body bytea NOT NULL)"); err != nil {
		return 0, err
	}
	config := w.pool.Config()
	config.MaxConns = int32(clients)
	pool, err := newPool(ctx, config)
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
