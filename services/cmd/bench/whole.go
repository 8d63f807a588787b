package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/boot"
)

// wholeFor is how long the whole product is measured, after wholeWarmUp.
const (
	wholeFor    = time.Minute
	wholeWarmUp = 5 * time.Second
)

// whole measures adashi up as its users get it: the real program with everything on (API, appender, relay, sealing,
// read models, notifications, letters, live), people with mail, and the load from a separate process. In addition to
// the payments a second it returns the cost of one payment: seconds of processor time for a thousand and kilobytes
// written and kept, by Postgres and by the program together, and how far the read models were behind.
func whole(name string, callers, each int, asked bar) benchmark {
	rows := []spec{
		{name, "payments/s", asked},
		{name + "-cpu", "s per 1,000", bar{most: 0.20}},
		{name + "-written", "KB each", bar{most: 14}},
		{name + "-kept", "KB each", bar{most: 3}},
		{name + "-lag", "s at most", bar{most: 1}},
		{name + "-level", "s after the end", bar{most: 2}},
	}
	return benchmark{name: name, once: true, limit: 10 * time.Minute, rows: rows, run: func(ctx context.Context, w *world) ([]row, error) {
		return w.whole(ctx, name, load{Clients: callers, Each: each, WarmUp: wholeWarmUp, For: wholeFor})
	}}
}

var wholes = []benchmark{
	whole("whole-contribute", clients, 1, bar{least: 8000, p99: 30}),
	whole("whole-512", 512, 1, bar{least: 8000}),
	whole("whole-bulk", bulkClients, bulkSize, bar{least: 8000, rss: 300}),
}

func (w *world) whole(ctx context.Context, name string, l load) ([]row, error) {
	p, err := w.everything(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	if err := w.level(ctx, time.Minute); err != nil {
		return nil, err
	}
	l.Address = p.address
	watching, stop := context.WithCancel(ctx)
	defer stop()
	lag := make(chan time.Duration, 1)
	go func() { lag <- w.watchLag(watching) }()
	before, err := w.spentAndWritten(ctx, p)
	if err != nil {
		return nil, err
	}
	done, err := l.spawn(ctx)
	if err != nil {
		return nil, err
	}
	ended := time.Now()
	if err := w.level(ctx, time.Minute); err != nil {
		return nil, err
	}
	level := time.Since(ended)
	stop()
	after, err := w.spentAndWritten(ctx, p)
	if err != nil {
		return nil, err
	}
	cost := after.since(before)
	payments := float64(done.Payments * l.Each)
	fmt.Fprint(os.Stderr, cost.table(payments))
	rss := p.megabytes("VmHWM:")
	return []row{
		{Name: name, Ours: done.Rate * float64(l.Each), P50: done.P50, P99: done.P99, RSS: rss},
		{Name: name + "-cpu", Ours: cost.cpu() * 1000 / payments},
		{Name: name + "-written", Ours: cost.written() / 1024 / payments},
		{Name: name + "-kept", Ours: cost.kept / 1024 / payments},
		{Name: name + "-lag", Ours: (<-lag).Seconds()},
		{Name: name + "-level", Ours: level.Seconds()},
	}, nil
}

// everything makes the crowd and starts adashi up for it.
func (w *world) everything(ctx context.Context) (*program, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	return w.serve(ctx)
}

// serve starts adashi up on the world's Postgres, with members who have sessions and mail. While profiles are written
// it starts in this process.
func (w *world) serve(ctx context.Context) (*program, error) {
	w.closeLedger()
	d, err := w.open(ctx, boot.Roles{API: true}) // To make the members' sessions.
	if err != nil {
		return nil, err
	}
	d.Stop()
	if profiles() != "" {
		here, err := w.open(ctx, boot.All)
		if err != nil {
			return nil, err
		}
		return &program{here: here, address: here.address()}, nil
	}
	key, _, err := proofs.GenerateKey("bench.adashi.example")
	if err != nil {
		return nil, err
	}
	p, _, err := w.up(ctx, "whole", "DATABASE_URL="+w.server.URL("postgres"), "ADASHI_LEDGER_KEY="+key,
		"ADASHI_IDENTITY_KEY="+strings.Repeat("bench", 8), "ADASHI_VAULT_KEY="+vaultKey)
	return p, err
}

// level waits until every read model has reached the ledger's end.
func (w *world) level(ctx context.Context, most time.Duration) error {
	for deadline := time.Now().Add(most); ; time.Sleep(10 * time.Millisecond) {
		var behind int64
		err := w.pool.QueryRow(ctx, "SELECT (SELECT pos FROM ledger_head) - (SELECT min(pos) FROM projections)").Scan(&behind)
		if err != nil || behind == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("a read model is still %d events behind", behind)
		}
	}
}

// watchLag returns the largest age of the last read model's position: how long ago it was the ledger's end. Each look
// costs one small query, ten times a second.
func (w *world) watchLag(ctx context.Context) (worst time.Duration) {
	type mark struct {
		pos int64
		at  time.Time
	}
	var ends []mark
	for ctx.Err() == nil {
		var end, least int64
		if w.pool.QueryRow(ctx, "SELECT (SELECT pos FROM ledger_head), (SELECT min(pos) FROM projections)").Scan(&end, &least) != nil {
			break
		}
		now := time.Now()
		ends = append(ends, mark{end, now})
		for len(ends) > 0 && ends[0].pos <= least {
			ends = ends[1:]
		}
		if len(ends) > 0 {
			worst = max(worst, now.Sub(ends[0].at))
		}
		time.Sleep(100 * time.Millisecond)
	}
	return worst
}

// load is the task of the process that makes the load: bench load <json>.
type load struct {
	Address string        `json:"address"`
	Clients int           `json:"clients"`
	Each    int           `json:"each"` // Payments in one request.
	Ajo     bool          `json:"ajo"`  // Dues of ajo, from one on, instead of contributions to groups.
	From    int           `json:"from"`
	WarmUp  time.Duration `json:"warmUp"`
	For     time.Duration `json:"for"`
}

// loaded is the result of a load.
type loaded struct {
	Rate     float64 `json:"rate"` // Requests a second.
	Payments int     `json:"payments"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
}

func (l load) spawn(ctx context.Context) (done loaded, err error) {
	self, err := os.Executable()
	if err != nil {
		return done, err
	}
	task, err := json.Marshal(l)
	if err != nil {
		return done, err
	}
	command := exec.CommandContext(ctx, self, "load", string(task))
	command.Stderr = os.Stderr
	raw, err := command.Output()
	return done, errors.Join(err, json.Unmarshal(raw, &done))
}

// makeLoad runs that process.
func makeLoad(task string) error {
	var l load
	if err := json.Unmarshal([]byte(task), &l); err != nil {
		return err
	}
	d := keys()
	request := func(n int) string { return d.contribute(n % sessions) }
	switch {
	case l.Ajo:
		request = func(n int) string { return d.payDue(l.From + n - 1) }
	case l.Each > 1:
		request = func(n int) string { return d.bulk(n % sessions) }
	}
	s, asked, err := overHTTPFor(l.Address, l.Clients, l.WarmUp, l.For, request)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(loaded{Rate: s.rate, Payments: asked, P50: s.percentile(50), P99: s.percentile(99)})
}
