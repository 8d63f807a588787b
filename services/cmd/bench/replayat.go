package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/keyframes"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/trail"
)

// replaysAt measure the cost of showing any moment of any subject, and of the trail that finds its events.
// it.
var replaysAt = []benchmark{
	{name: "replay-at", once: true, limit: 90 * time.Minute, run: replayAt, rows: []spec{
		{"trail-build", "events/s", bar{}},
		{"keyframes", "ms each", bar{}},
		{"replay-at", "replays/s", bar{p99: 100}},
		{"replay-at-recorded", "replays/s", bar{p99: 100}},
		{"replay-at-effective", "replays/s", bar{p99: 100}},
		{"replay-at-pool", "replays/s", bar{p99: 100}},
		{"replay-at-member", "replays/s", bar{p99: 100}},
		{"replay-steps", "pages/s", bar{p99: 100}},
	}},
	{name: "trail", once: true, limit: 20 * time.Minute, run: trailCosts, rows: []spec{
		{"trail", "events/s", bar{ratio: 0.92}},
		{"trail-cpu", "s a million", bar{ratio: 0.92}},
	}},
}

// replayed is the number of events in the ledger. ADASHI_BENCH_EVENTS sets another number, for a try.
func replayed() int64 { return int64(atoi(os.Getenv("ADASHI_BENCH_EVENTS"), big)) }

// replayAt measures the state of a group of 10,000 members and 24 months, of 270,000 events, among ten million, at
// random positions, recording times and effective times; that of its pool and of its members; and pages of 50 steps.
// One caller asks for one after the other. The other events are spread between the group's.
func replayAt(ctx context.Context, w *world) ([]row, error) {
	began := time.Now()
	if err := w.saveAmongOthers(ctx, replayed()); err != nil {
		return nil, err
	}
	head, err := w.head(ctx)
	if err != nil {
		return nil, err
	}
	w.closeLedger()
	told := func(what string) {
		fmt.Fprintf(os.Stderr, "replay-at: %s after %.0f s, %d events\n", what, time.Since(began).Seconds(), head)
	}
	told("filled")
	built, err := w.buildTrail(ctx, head)
	if err != nil {
		return nil, err
	}
	rows := []row{built}
	told("the trail is built")
	if err := keyframes.Migrate(ctx, w.pool); err != nil {
		return rows, err
	}
	reader := &replay.Reader{Pool: w.pool, Trail: trail.Reader{}, Keyframes: keyframes.Table{Pool: w.pool, Clock: time.Now}, Aggregates: ledger.Aggregates()}
	for _, s := range []replay.Subject{{Group: groupID(largeGroup)}, {Account: "pool:" + subID(largeGroup)}} {
		made, err := warmed(ctx, reader, s)
		if err != nil {
			return rows, err
		}
		if s.Group != "" {
			rows = append(rows, made)
		}
	}
	told("keyframes are made")
	if err := w.sizes(ctx); err != nil {
		return rows, err
	}
	measured, err := w.replays(ctx, reader, head)
	return append(rows, measured...), err
}

// sizes prints the sizes of the trail and the keyframes on the disk.
func (w *world) sizes(ctx context.Context) error {
	if _, err := w.pool.Exec(ctx, "VACUUM (ANALYZE) replay_keyframes"); err != nil {
		return err
	}
	var rows, events, table, index, frames int64
	err := w.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM rm_trail), (SELECT pos FROM ledger_head), pg_table_size('rm_trail'), pg_indexes_size('rm_trail'),
		pg_total_relation_size('replay_keyframes')`).Scan(&rows, &events, &table, &index, &frames)
	fmt.Fprintf(os.Stderr, "replay-at: %.2f rows and %d bytes of trail an event, of which its index %d; keyframes %d MB\n",
		float64(rows)/float64(events), (table+index)/events, index/events, frames>>20)
	return err
}

// replays does the measurements.
func (w *world) replays(ctx context.Context, reader *replay.Reader, head int64) (rows []row, err error) {
	whole, pool := replay.Subject{Group: groupID(largeGroup)}, replay.Subject{Account: "pool:" + subID(largeGroup)}
	var from, to time.Time
	if err := w.pool.QueryRow(ctx, "SELECT (SELECT recorded_at FROM events WHERE pos = 100), recorded_at FROM ledger_head").Scan(&from, &to); err != nil {
		return nil, err
	}
	between := func(from, to time.Time) time.Time { return from.Add(time.Duration(rand.Int64N(int64(to.Sub(from))))) }
	somewhere := func() int64 { return head/8 + rand.Int64N(head-head/8) }
	at := func(s replay.Subject, until func() replay.Until) func() error {
		return func() error {
			state, err := reader.At(ctx, s, until())
			if err == nil && len(state.Streams) == 0 {
				err = errors.New("nothing was replayed")
			}
			return err
		}
	}
	position := func() replay.Until { return replay.Until{Position: somewhere()} }
	for _, m := range []struct {
		name string
		do   func() error
	}{
		{"replay-at", at(whole, position)},
		{"replay-at-recorded", at(whole, func() replay.Until { return replay.Until{Recorded: between(from, to)} })},
		{"replay-at-effective", at(whole, func() replay.Until {
			return replay.Until{Effective: between(to.AddDate(0, -bigMonths, 1), to)}
		})},
		{"replay-at-pool", at(pool, position)},
		{"replay-at-member", func() error {
			return at(replay.Subject{Member: userID(rand.IntN(bigMembers))}, position)()
		}},
		{"replay-steps", func() error {
			steps, err := reader.Steps(ctx, whole, somewhere(), 50, rand.IntN(2) == 0)
			if err == nil && len(steps) == 0 { // After the last one there are only other subjects' events.
				steps, err = reader.Steps(ctx, whole, 0, 50, true)
			}
			if err == nil && len(steps) == 0 {
				err = errors.New("there are no steps")
			}
			return err
		}},
	} {
		s, err := hammerFor(1, 2*warmUp, 5*measured, func(int, int) error { return m.do() })
		if err != nil {
			return rows, fmt.Errorf("%s: %w", m.name, err)
		}
		rows = append(rows, s.row(m.name, 0))
	}
	return rows, nil
}

// warmed makes all keyframes of a subject, and returns the time that each took.
func warmed(ctx context.Context, reader *replay.Reader, s replay.Subject) (row, error) {
	forgetPeak()
	began, all := time.Now(), 0
	for {
		made, err := reader.Warm(ctx, s)
		if err != nil {
			return row{}, err
		}
		if all += made; made == 0 {
			break
		}
	}
	if all == 0 {
		return row{}, errors.New("no keyframe was made")
	}
	fmt.Fprintf(os.Stderr, "replay-at: %d keyframes of %s\n", all, s)
	return row{Name: "keyframes", Ours: float64(time.Since(began).Milliseconds()) / float64(all), RSS: peakMB()}, nil
}

// buildTrail makes the trail of all events, as a build with a newer one does.
func (w *world) buildTrail(ctx context.Context, head int64) (row, error) {
	e := engineOf(w.pool, trail.Model())
	if err := e.Prepare(ctx); err != nil {
		return row{}, err
	}
	if _, err := w.pool.Exec(ctx, "UPDATE projections SET version = version - 1"); err != nil {
		return row{}, err
	}
	forgetPeak()
	began := time.Now()
	if _, err := e.RebuildAll(ctx, nil); err != nil {
		return row{}, err
	}
	built := sample{rate: float64(head) / time.Since(began).Seconds(), rss: peakMB()}
	_, err := w.pool.Exec(ctx, "VACUUM (ANALYZE) rm_trail")
	return built.row("trail-build", 0), err
}

// saveAmongOthers makes the big group, and makes others contribute between its months until there are so many events.
func (w *world) saveAmongOthers(ctx context.Context, events int64) error {
	began := time.Now().AddDate(0, -bigMonths, 0)
	if err := w.foundBig(ctx, began); err != nil {
		return err
	}
	for month := range bigMonths {
		if err := each(bigMembers, 512, func(user int) error { return w.pays(ctx, largeGroup, user, bigAmount, began.AddDate(0, month, 0)) }); err != nil {
			return err
		}
		if err := w.fillOthers(ctx, events*int64(month+1)/bigMonths-int64(bigMonths-1-month)); err != nil {
			return fmt.Errorf("fill after month %d: %w", month, err)
		}
	}
	_, err := w.pool.Exec(ctx, "VACUUM (ANALYZE) events")
	return err
}

// foundBig makes the group and admits its members.
func (w *world) foundBig(ctx context.Context, began time.Time) error {
	owner := userID(0)
	for _, c := range []store.Command{
		at(savings.CreateGroup{GroupID: groupID(largeGroup), Owner: owner, Name: "Big group", Amount: bigAmount, Capacity: savings.MaxCapacity, StartMonth: int(began.Month()), ShowTotalBalance: true, Now: began}, began),
		at(savings.OpenSubAccount{
			GroupID: groupID(largeGroup), SubAccountID: subID(largeGroup), By: owner, Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED,
			Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: bigAmount, ShowTotal: true, Now: began,
		}, began),
	} {
		if _, err := w.ledger.Append(ctx, c); err != nil {
			return err
		}
	}
	if err := each(bigMembers, 256, func(n int) error { return w.joins(ctx, largeGroup, n, began) }); err != nil {
		return err
	}
	for _, c := range []store.Command{
		at(account.EndCheck(owner, "bvn", 0), began),
		at(savings.AppointApprover{GroupID: groupID(largeGroup), User: userID(2), By: owner}, began),
		at(savings.AppointValidator{GroupID: groupID(largeGroup), User: userID(1), By: owner, Owner: owner}, began),
	} {
		if _, err := w.ledger.Append(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// others are the texts of a contribution to replace, with their replacements in SQL: members and groups that exist
// nowhere else, two thousand groups of two hundred.
func others(user string) map[string]string {
	return map[string]string{
		user:                "'00000000-0000-8000-c000-' || lpad((p % 400000)::text, 12, '0')",
		groupID(largeGroup): "'00000000-0000-8000-d000-' || lpad((p % 2000)::text, 12, '0')",
		subID(largeGroup):   "'00000000-0000-8000-e000-' || lpad((p % 2000)::text, 12, '0')",
	}
}

// fillOthers copies the last contribution as often as needed, each on a stream of its own and by another member to
// another group.
func (w *world) fillOthers(ctx context.Context, upto int64) error {
	head, err := w.head(ctx)
	if err != nil || head >= upto {
		return err
	}
	w.closeLedger()
	defer w.openLedger()
	if _, err := w.pool.Exec(ctx, "SELECT ledger_extend($1, 10000000)", upto); err != nil {
		return err
	}
	if err := w.unattended(ctx, "events_000001"); err != nil {
		return err
	}
	last, err := history.ReadFew(ctx, w.pool, head-1, 1)
	if err != nil {
		return err
	}
	m, err := last[0].Message()
	if err != nil {
		return err
	}
	contribution, ok := m.(*nairav1.ContributionReceived)
	if !ok {
		return fmt.Errorf("position %d is no contribution", head)
	}
	body, accounts := "body", "accounts::text"
	for text, by := range others(contribution.GetUserId()) {
		offset := bytes.Index(last[0].Body, []byte(text))
		if offset < 0 {
			return fmt.Errorf("the contribution at position %d does not name %s", head, text)
		}
		body = fmt.Sprintf("overlay(%s placing convert_to(%s, 'UTF8') from %d for %d)", body, by, offset+1, len(text))
		accounts = fmt.Sprintf("replace(%s, '%s', %s)", accounts, text, by)
	}
	if err := w.filled(ctx, head+1, upto, fmt.Sprintf(`INSERT INTO events
		SELECT p, 'dues:filled:' || lpad(p::text, 12, '0'), 1, type, gen_random_uuid(), 0, command_hash, actor, correlation, recorded_at, recorded_at, %s, (%s)::text[], amounts, balances, sha256(int8send(p))
		FROM (SELECT * FROM events WHERE pos = %d) e, generate_series($1::bigint, $2::bigint) AS p`, body, accounts, head)); err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, "UPDATE ledger_settled SET pos = $1", upto)
	return err
}

// trailCosts measures all read models together while they catch up on a backlog of real events, as in a whole process,
// with the trail, against the same without it: events a second, and seconds of processor time of this process and
// Postgres for a million events, including reading and deciding. Both take turns, and the best of each counts.
func trailCosts(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	head, err := w.grow(ctx, backlog)
	if err != nil {
		return nil, err
	}
	w.closeLedger()
	var without []engine.Model
	for _, m := range projections.All() {
		if m.Name != trail.Name {
			without = append(without, m)
		}
	}
	rates, costs := map[bool]sample{}, map[bool]float64{}
	for n := range 2 * max(3, runs) {
		with := n%2 == 1
		models := without
		if with {
			models = projections.All()
		}
		s, cost, err := w.followAll(ctx, models, head)
		if err != nil {
			return nil, err
		}
		cost *= 1_000_000 / float64(head)
		fmt.Fprintf(os.Stderr, "trail: with it %v, %.0f events/s, %.1f s of processor a million\n", with, s.rate, cost)
		if s.rate > rates[with].rate {
			rates[with] = s
		}
		if costs[with] == 0 || cost < costs[with] {
			costs[with] = cost
		}
	}
	return []row{
		rates[true].row("trail", rates[false].rate),
		{Name: "trail-cpu", Ours: costs[true], Limit: costs[false], Ratio: costs[false] / costs[true]},
	}, nil
}

// processor is the processor time in seconds of this process and Postgres so far, by process.
func (w *world) processor(ctx context.Context) (map[string]float64, error) {
	s := spending{seconds: map[string]float64{}, bytes: map[string]float64{}}
	rows, err := w.pool.Query(ctx, "SELECT pid FROM pg_stat_activity")
	if err != nil {
		return nil, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	for _, pid := range append(pids, os.Getpid()) {
		s.add(strconv.Itoa(pid), pid)
	}
	return s.seconds, err
}

// followAll makes models go from nothing to the head, together, and also returns the seconds of processor time.
func (w *world) followAll(ctx context.Context, models []engine.Model, head int64) (s sample, cost float64, err error) {
	if _, err := w.pool.Exec(ctx, "DROP TABLE IF EXISTS "+strings.Join(projections.Tables(), ", ")); err != nil {
		return s, 0, err
	}
	e := engineOf(w.pool, models...)
	if err := e.Prepare(ctx); err != nil {
		return s, 0, err
	}
	if _, err := w.pool.Exec(ctx, "CHECKPOINT"); err != nil {
		return s, 0, err
	}
	before, err := w.processor(ctx)
	if err != nil {
		return s, 0, err
	}
	running, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	defer func() { cancel(); <-stopped }()
	forgetPeak()
	began := time.Now()
	go func() { defer close(stopped); e.Run(running, nil, nil) }()
	for {
		var pos int64
		if err := w.pool.QueryRow(ctx, "SELECT min(pos) FROM projections").Scan(&pos); err != nil {
			return s, 0, err
		}
		if pos >= head {
			break
		}
		if err := wait(ctx, 5*time.Millisecond); err != nil {
			return s, 0, fmt.Errorf("at position %d of %d: %w", pos, head, err)
		}
	}
	s = sample{rate: float64(head) / time.Since(began).Seconds(), rss: peakMB()}
	after, err := w.processor(ctx)
	for pid, used := range after {
		cost += used - before[pid]
	}
	return s, cost, err
}
