package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
)

// The benchmark plays ten of the year's monthly due days. ADASHI_BENCH_AJOS and ADASHI_BENCH_DAYS set fewer ajo or
// days.
var (
	yearAjos = max(1, atoi(os.Getenv("ADASHI_BENCH_AJOS"), 10_000))
	yearDays = min(ajoSeats, max(1, atoi(os.Getenv("ADASHI_BENCH_DAYS"), ajoSeats)))
)

const (
	yearRate   = 100 // Other members' payments a second.
	yearTaken  = 4   // Seats whose dues the job takes by consent.
	yearSilent = 14  // Days after which a pot pays itself.
)

var ajoYears = benchmark{name: "ajo-year", once: true, limit: 6 * time.Hour, run: ajoYear, rows: []spec{
	{"ajo-year", "s a due day", bar{}},
	{"ajo-year-quiet", "payments/s", bar{}},
	{"ajo-year-others", "payments/s", bar{p99: 30}},
}}

// ajoYear measures the jobs over a year of 10,000 ajo of ten seats, due on the same day of each month, while members of
// groups pay 100 times a second. In each pot, the members pay four dues in advance, the job takes four by consent on
// the due day, and one is missing: after the days of grace it becomes a debt to the collector, the job tries it again
// five days later, and the pot pays itself. The row is the time that the jobs take for one due day, including the read
// models; ajo-year-others is the latency of the others' payments while the jobs run, not while members pay in advance;
// ajo-year-quiet is their latency before.
func ajoYear(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	list := ajosOf(yearAjos, ajoSeats, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY)
	for i := range list {
		for s := range list[i].seats { // Everybody of the crowd, so that no wallet is in every ajo.
			list[i].seats[s] = userID((i*ajoSeats + s) % crowd)
		}
	}
	if err := errors.Join(w.found(ctx, list), w.agree(ctx, list)); err != nil {
		return nil, err
	}
	w.closeLedger()
	d, err := w.open(ctx, boot.All)
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	y := year{world: w, door: d, list: list}
	if err := w.level(ctx, 20*time.Minute); err != nil {
		return nil, err
	}
	quiet, err := y.others(ctx, 5*time.Second)
	if err != nil {
		return nil, err
	}
	var meanwhile sample
	var took time.Duration
	for k := 1; k <= yearDays && err == nil; k++ {
		var day time.Duration
		day, err = y.dueDay(ctx, k, &meanwhile)
		took += day
		fmt.Fprintf(os.Stderr, "due day %d: %.1f s, others' p99 so far %.0f ms\n", k, day.Seconds(), meanwhile.percentile(99))
	}
	return []row{
		{Name: "ajo-year", Ours: took.Seconds() / float64(yearDays), RSS: meanwhile.rss}, quiet.row("ajo-year-quiet", 0), meanwhile.row("ajo-year-others", quiet.rate),
	}, err
}

// agree makes the holders of some seats agree that the job takes dues, and the holder of another debts.
func (w *world) agree(ctx context.Context, list []running) error {
	return each(len(list), 64, func(n int) error {
		var all raw
		for seat := range list[n].seats {
			user := list[n].seats[seat]
			all = append(all, event.On(ajo.BookStream(list[n].id, user), &nairav1.AjoConsentSet{AjoId: list[n].id, UserId: user, Dues: seat < yearTaken, Sweep: true}))
		}
		_, err := w.ledger.Append(ctx, at(all, list[n].start))
		return err
	})
}

// year is a year that the benchmark plays.
type year struct {
	*world
	*door
	list []running
}

// others makes members of groups pay, over HTTP.
func (y year) others(ctx context.Context, d time.Duration) (sample, error) {
	lines := make(chan line, clients)
	for range clients {
		l, err := dial(y.address())
		if err != nil {
			return sample{}, err
		}
		defer l.conn.Close()
		lines <- l
	}
	return paced(ctx, yearRate, d, func(n int) error {
		l := <-lines
		defer func() { lines <- l }()
		_, err := l.ask(y.contribute(n % sessions))
		return err
	})
}

// dueDay plays all the jobs' work of a cycle, and returns how long it took. It adds the latencies of other members'
// payments meanwhile to a sample.
func (y year) dueDay(ctx context.Context, k int, meanwhile *sample) (took time.Duration, err error) {
	r := y.list[0]
	first := ajo.FirstDue(r.terms, savings.Day(r.start))
	due := time.Date(first.Year(), first.Month()+time.Month(k-1), first.Day(), 9, 0, 0, 0, time.UTC)
	if err := errors.Join(y.paidBefore(ctx, k, due), y.follow(ctx)); err != nil {
		return 0, err
	}
	paying, stop := context.WithCancel(ctx)
	others := make(chan error, 1)
	go func() {
		s, err := y.others(paying, time.Hour)
		meanwhile.add(s)
		others <- err
	}()
	defer func() {
		stop()
		err = errors.Join(err, <-others)
	}()
	overdue := due.AddDate(0, 0, int(r.terms.GetGraceDays())+1)
	service := y.App.Ajo
	for _, job := range []struct {
		when time.Time
		run  func(time.Time) error
		left string // Counts its remaining work.
	}{
		{due, func(at time.Time) error { return service.When(at).Judge(ctx) }, fmt.Sprintf(
			`SELECT count(*) FROM rm_ajos a WHERE a.cycle = %d
			AND (SELECT coalesce(sum(kobo), 0) FROM rm_ajo_payments p WHERE p.ajo_id = a.ajo_id AND p.cycle = a.cycle) < %d`, k, int64(ajoAmount)*(ajoSeats-2))},
		{overdue, func(at time.Time) error { return service.When(at).Judge(ctx) }, fmt.Sprintf("SELECT count(*) FROM rm_ajos WHERE cycle = %d", k)},
		{overdue.AddDate(0, 0, 5), func(at time.Time) error { return service.When(at).Retry(ctx) }, "SELECT count(*) FROM rm_ajo_debts WHERE left_kobo > 0"},
		{overdue.AddDate(0, 0, yearSilent), func(at time.Time) error { return service.When(at).PaySilent(ctx) }, "SELECT count(*) FROM rm_ajo_cycles WHERE ready_at IS NOT NULL AND paid_at IS NULL"},
		{overdue.AddDate(0, 0, yearSilent), func(at time.Time) error { return service.When(at).Keep(ctx) }, "SELECT count(*) FROM rm_ajos WHERE is_paid_out"},
	} {
		one, err := y.until(ctx, func() error { return job.run(job.when) }, job.left)
		took += one
		if err != nil {
			return took, err
		}
		fmt.Fprintf(os.Stderr, "  %.1f s", one.Seconds())
	}
	return took, nil
}

// add adds a later measurement at the same rate.
func (s *sample) add(later sample) {
	s.rate, s.rss = later.rate, max(s.rss, later.rss)
	s.latencies = append(s.latencies, later.latencies...)
	slices.Sort(s.latencies)
}

// until runs a job again and again until its list is empty, and returns how long that took, until the read models have
// caught up.
func (y year) until(ctx context.Context, run func() error, left string) (time.Duration, error) {
	began := time.Now()
	for n := 0; ; n++ {
		if err := errors.Join(run(), y.follow(ctx)); err != nil {
			return time.Since(began), err
		}
		var many int
		if err := y.pool.QueryRow(ctx, left).Scan(&many); err != nil || many == 0 {
			return time.Since(began), err
		}
		if n > 1000 {
			return time.Since(began), fmt.Errorf("a job leaves %d undone", many)
		}
	}
}

// follow waits until the read models have reached the ledger's present end.
func (y year) follow(ctx context.Context) error {
	head, err := y.head(ctx)
	for err == nil {
		var least int64
		if err = y.pool.QueryRow(ctx, "SELECT min(pos) FROM projections").Scan(&least); err != nil || least >= head {
			return err
		}
		err = wait(ctx, 5*time.Millisecond)
	}
	return err
}

// paidBefore pays the dues of the members who pay themselves: all dues that are not taken by consent, except the
// missing one, that of the seat that collects last.
func (y year) paidBefore(ctx context.Context, k int, due time.Time) error {
	return each(len(y.list), 64, func(n int) error {
		var bulk store.Bulk
		missing := ajoSeats - 1
		if k == ajoSeats {
			missing--
		}
		for seat := yearTaken; seat < ajoSeats; seat++ {
			if seat+1 != k && seat != missing {
				bulk = append(bulk, y.list[n].pays(k, seat, due))
			}
		}
		_, err := y.App.Ajo.Ledger.Append(ctx, at(bulk, due))
		return err
	})
}
