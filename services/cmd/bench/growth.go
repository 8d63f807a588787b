package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/projections"
	"adashi.ng/services/internal/boot"
)

const (
	growthWallets = 1500 // So that their events and their groups' stay below 10,000.
	small         = 10_000
	medium        = 1_000_000
	big           = 10_000_000
	// fewMovements is how many rows of activity there are before it grows: a full page for every member.
	fewMovements = 100 * growthWallets
	// activityRate is a load of activity pages that the machine handles easily, so that the latency is the page's own
	// and not the queue's.
	activityRate = 500
)

var growing = benchmark{name: "growth", once: true, limit: 20 * time.Minute, run: growth, rows: []spec{
	{"growth-append-1m", "commands/s", bar{ratio: 0.85}},
	{"growth-append-10m", "commands/s", bar{ratio: 0.85}},
	{"growth-balance-1m", "reads/s", bar{ratio: 0.85}},
	{"growth-balance-10m", "reads/s", bar{ratio: 0.85}},
	{"http-read-activity", "requests/s", bar{ratio: 0.85}},
	{"http-read-activity-500", "requests/s", bar{p99: 10}},
	{"seal", "events/s", bar{}},
	{"proof", "receipts/s", bar{p99: 5}},
}}

// stage is the measurement at one size.
type stage struct{ append, balance, pages, paced sample }

// growth measures the same at 10,000, 1 million and 10 million events, the first being the limit of the others: appends
// of 64 callers (growth-append) and balances read by key by 64 goroutines through pgx (growth-balance). At the first
// and the last, with 150 thousand and 10 million rows of activity, also pages of 50 over HTTP: by 64 clients without
// pause (http-read-activity) and at 500 a second (http-read-activity-500, whose ratio is of the p99s). At the end it
// seals the whole tree (seal), and one caller asks for receipts of real events, old and new (proof).
//
// It fills the ledger in between by SQL: contributions of members who exist nowhere else, each on a stream of its own.
func growth(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, growthWallets); err != nil {
		return nil, err
	}
	if _, err := w.grow(ctx, small); err != nil {
		return nil, err
	}
	e := engineOf(w.pool, projections.All()...)
	if err := errors.Join(e.Prepare(ctx), e.CatchUp(ctx)); err != nil {
		return nil, err
	}
	first, err := w.at(ctx, small, fewMovements)
	if err != nil {
		return nil, err
	}
	var rows []row
	second, err := w.at(ctx, medium, 0)
	if err != nil {
		return nil, err
	}
	rows = append(rows, second.append.row("growth-append-1m", first.append.rate), second.balance.row("growth-balance-1m", first.balance.rate))
	third, err := w.at(ctx, big, big)
	if err != nil {
		return rows, err
	}
	paced := third.paced.row("http-read-activity-500", 0)
	paced.Ratio = first.paced.percentile(99) / paced.P99
	rows = append(rows, third.append.row("growth-append-10m", first.append.rate), third.balance.row("growth-balance-10m", first.balance.rate),
		third.pages.row("http-read-activity", first.pages.rate), paced)
	proved, err := w.prove(ctx)
	return append(rows, proved...), err
}

// at fills the ledger up to so many events, and, unless movements is 0, the activity up to so many rows, and measures.
func (w *world) at(ctx context.Context, events, movements int64) (s stage, err error) {
	if err := w.fillEvents(ctx, events); err != nil {
		return s, fmt.Errorf("fill to %d events: %w", events, err)
	}
	if movements > 0 {
		if err := w.fillMovements(ctx, movements); err != nil {
			return s, fmt.Errorf("fill to %d rows of activity: %w", movements, err)
		}
	}
	if _, err := w.pool.Exec(ctx, "CHECKPOINT"); err != nil {
		return s, err
	}
	if s.append, err = w.contributions(ctx, 64); err != nil {
		return s, err
	}
	if s.balance, err = w.balances(ctx); err != nil || movements == 0 {
		return s, err
	}
	d, err := w.open(ctx, boot.Roles{API: true})
	if err != nil {
		return s, err
	}
	defer d.Stop()
	page := func(n int) string { return d.get("/api/v1/activity?limit=50", n%sessions, 0) }
	if s.pages, err = overHTTP(d.address(), clients, page); err != nil {
		return s, err
	}
	lines, shut, err := d.lines(clients)
	if err != nil {
		return s, err
	}
	defer shut()
	s.paced, err = paced(ctx, activityRate, measured, func(n int) error {
		_, err := lines.ask(page(n))
		return err
	})
	return s, err
}

// fillers is how many connections fill at the same time.
const fillers = 2

// filled runs a statement that fills from position $1 to $2, on several connections, each with a part of the range. It
// does not wait for the disk: the checkpoint that follows does.
func (w *world) filled(ctx context.Context, from, to int64, statement string) error {
	const chunk = 250_000
	chunks := int((to - from + chunk) / chunk)
	return each(chunks, fillers, func(n int) error {
		first := from + int64(n)*chunk
		return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit TO off; SET LOCAL work_mem TO '64MB'"); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, statement, first, min(to, first+chunk-1))
			return err
		})
	})
}

// unattended turns autovacuum off for tables that are filled, so that it does not run during a measurement. The
// benchmark vacuums them itself when they are full.
func (w *world) unattended(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		if _, err := w.pool.Exec(ctx, "ALTER TABLE "+table+" SET (autovacuum_enabled = false)"); err != nil {
			return err
		}
	}
	return nil
}

// fillEvents copies the last contribution as often as needed, each on a stream of its own, with a command of its own
// and a unique leaf.
func (w *world) fillEvents(ctx context.Context, upto int64) error {
	head, err := w.head(ctx)
	if err != nil || head >= upto {
		return err
	}
	w.closeLedger()
	defer w.openLedger()
	if _, err := w.pool.Exec(ctx, "SELECT ledger_extend($1, 10000000)", upto); err != nil {
		return err
	}
	if err := w.unattended(ctx, "events_000001", "commands"); err != nil {
		return err
	}
	if err := w.filled(ctx, head+1, upto, fmt.Sprintf(`INSERT INTO events
		SELECT p, 'dues:filled:' || lpad(p::text, 12, '0'), 1, type, gen_random_uuid(), 0, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances, sha256(int8send(p))
		FROM (SELECT * FROM events WHERE type = 'naira.v1.ContributionReceived' AND pos <= %d ORDER BY pos DESC LIMIT 1) e, generate_series($1::bigint, $2::bigint) AS p`, head)); err != nil {
		return err
	}
	// In the order of its index, which is cheapest.
	if err := w.filled(ctx, head+1, upto, "INSERT INTO commands SELECT command, pos, 1 FROM events WHERE pos BETWEEN $1 AND $2 ORDER BY command"); err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE ledger_settled SET pos = $1", upto)
	if err == nil {
		_, err = w.pool.Exec(ctx, "VACUUM (ANALYZE) events, commands")
	}
	return err
}

// fillMovements copies a row of activity until there are so many, for all members in turn.
func (w *world) fillMovements(ctx context.Context, upto int64) error {
	const beyond = 100_000_000 // Positions that the ledger never reaches here.
	var there int64
	if err := w.pool.QueryRow(ctx, "SELECT count(*) FROM rm_movements").Scan(&there); err != nil {
		return err
	}
	if err := w.unattended(ctx, "rm_movements"); err != nil {
		return err
	}
	if err := w.filled(ctx, beyond+there+1, beyond+upto, fmt.Sprintf(`INSERT INTO rm_movements
		SELECT p, ('00000000-0000-8000-b000-' || lpad(p::text, 12, '0'))::uuid, '00000000-0000-8000-a000-' || lpad((p %% %d)::text, 12, '0'), kind, kobo, incoming, charge_kobo, balance_kobo,
			effective_at, recorded_at, reference, channel, group_id, sub_account_id, settled, lines, leaf
		FROM (SELECT * FROM rm_movements WHERE kind = 'CONTRIBUTION' AND pos < %d ORDER BY pos DESC LIMIT 1) m, generate_series($1::bigint, $2::bigint) AS p`, w.wallets, beyond)); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, "VACUUM (ANALYZE) rm_movements")
	return err
}

// seal seals everything with keys of its own, and returns the keys and how many events it sealed a second.
func (w *world) seal(ctx context.Context) (proofs.Keys, sample, error) {
	if err := proofs.Migrate(ctx, w.pool); err != nil {
		return proofs.Keys{}, sample{}, err
	}
	private, _, err := proofs.GenerateKey("bench.adashi.example")
	if err != nil {
		return proofs.Keys{}, sample{}, err
	}
	key, err := proofs.ParseKey(private)
	if err != nil {
		return proofs.Keys{}, sample{}, err
	}
	keys, err := proofs.NewKeys(key)
	if err != nil {
		return keys, sample{}, err
	}
	sealer, err := proofs.NewSealer(w.pool, keys, proofs.SealerOptions{})
	if err != nil {
		return keys, sample{}, err
	}
	forgetPeak()
	began := time.Now()
	sealed, err := sealer.Seal(ctx)
	return keys, sample{rate: float64(sealed.Size) / time.Since(began).Seconds(), rss: peakMB()}, err
}

// prove seals everything and measures receipts.
func (w *world) prove(ctx context.Context) ([]row, error) {
	keys, sealed, err := w.seal(ctx)
	if err != nil {
		return nil, err
	}
	rows := []row{sealed.row("seal", 0)}
	head, err := w.head(ctx)
	if err != nil {
		return rows, err
	}
	reader := proofs.NewReader(w.pool, keys)
	receipts, err := hammer(1, func(_, n int) error {
		pos := 1 + rand.Int64N(small)
		if n%2 == 0 && head > big {
			pos = big + 1 + rand.Int64N(head-big)
		}
		_, err := reader.Receipt(ctx, pos)
		return err
	})
	if err != nil {
		return rows, err
	}
	return append(rows, receipts.row("proof", 0)), nil
}
