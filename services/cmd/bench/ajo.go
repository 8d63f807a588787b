package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

const (
	ajoSeats  = 10
	ajoAmount = 100 * money.Naira
	// ajoPairs is how many turns count, of group contributions and of dues each. The first of each does not. With few
	// turns, the result depends on which of them autovacuum falls into, once a minute.
	ajoPairs  = 8
	ajoFor    = 15 * time.Second
	ajoWarmUp = 3 * time.Second
	ajoDues   = 8000 * (1 + ajoPairs) * int((ajoFor+ajoWarmUp)/time.Second) // More a second than any machine here has paid.
	// ajoBeside is how many ajo are paid at the same time, one seat of each after the other.
	ajoBeside = 200
)

func ajoID(n int) string { return fmt.Sprintf("00000000-0000-8000-c000-%012d", n) }

var ajoContributes = benchmark{name: "ajo-contribute", once: true, apart: true, limit: 20 * time.Minute, run: ajoContribute, rows: []spec{
	{"ajo-contribute", "dues/s", bar{ratio: 0.9}},
	{"ajo-contribute-cpu", "s per 1,000", bar{}},
	{"ajo-contribute-written", "KB each", bar{}},
}}

// ajoContribute measures dues of ajo from wallets in the way in which whole-contribute measures contributions to
// groups: the real program with everything on, people with mail, 64 clients in a separate process. The limit is
// whole-contribute in the same program; the two take turns. Each ajo has ten seats; nine dues fill a pot, the last of
// them makes it ready, and the members concerned get notices and letters. ADASHI_BENCH_AJOS sets fewer ajo, whose dues
// must last for the whole time. The limits of its rows of processor time and bytes are the cost of a contribution to a
// group.
func ajoContribute(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, sessions); err != nil { // With more members, letters about their admission would be sent all the while.
		return nil, err
	}
	list := ajosOf(atoi(os.Getenv("ADASHI_BENCH_AJOS"), ajoDues/(ajoSeats-1)+1), ajoSeats, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY)
	if err := w.found(ctx, list); err != nil {
		return nil, err
	}
	p, err := w.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	if err := w.level(ctx, 10*time.Minute); err != nil {
		return nil, err
	}
	// The digest of group payments every ten minutes would fall into a turn by chance, and so would the vacuum after
	// the founding.
	if _, err := w.pool.Exec(ctx, "UPDATE payment_digest SET next_at = now() + interval '1 hour'"); err != nil {
		return nil, err
	}
	if _, err := w.pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return nil, err
	}
	s := series{world: w, program: p}
	// Writing to empty tables costs less.
	if err := s.pair(ctx, false); err != nil {
		return nil, err
	}
	s.kinds = [2]turns{}
	for n := range ajoPairs { // They take turns to be first, because a machine may slow down meanwhile.
		if err := s.pair(ctx, n%2 == 0); err != nil {
			return nil, err
		}
	}
	groups, dues := &s.kinds[0], &s.kinds[1]
	fmt.Fprintf(os.Stderr, "a contribution to a group\n%sa due of an ajo\n%s", groups.cost.table(float64(groups.payments)), dues.cost.table(float64(dues.payments)))
	each := func(name string, of func(spending) float64, by float64) row {
		r := row{Name: name, Ours: of(dues.cost) * by / float64(dues.payments), Limit: of(groups.cost) * by / float64(groups.payments)}
		r.Ratio = r.Limit / r.Ours
		return r
	}
	return []row{
		{Name: "ajo-contribute", Ours: dues.rate(), Limit: groups.rate(), Ratio: dues.rate() / groups.rate(), P50: dues.p50, P99: dues.p99, RSS: p.megabytes("VmHWM:")},
		each("ajo-contribute-cpu", spending.cpu, 1000), each("ajo-contribute-written", spending.written, 1.0/1024),
	}, nil
}

// turns are several loads of one kind, with turns of the other kind between them.
type turns struct {
	rates    []float64
	payments int
	p50, p99 float64 // The worst.
	cost     spending
}

func (t *turns) rate() (mean float64) {
	for _, r := range t.rates {
		mean += r / float64(len(t.rates))
	}
	return mean
}

// series are turns of contributions and of dues in one program.
type series struct {
	world   *world
	program *program
	kinds   [2]turns // Contributions, and dues.
	paid    int      // Dues.
	taken   int      // Turns.
}

// pair runs one turn of each, dues first or last.
func (s *series) pair(ctx context.Context, duesFirst bool) error {
	if err := s.take(ctx, duesFirst); err != nil {
		return err
	}
	return s.take(ctx, !duesFirst)
}

// take runs one more turn. It warms up the caches that the other load left cold before it counts anything.
func (s *series) take(ctx context.Context, dues bool) error {
	if _, err := s.load(ctx, dues, ajoWarmUp); err != nil {
		return err
	}
	name, t := "groups", &s.kinds[0]
	if dues {
		name, t = "dues", &s.kinds[1]
	}
	s.taken++
	stop, err := s.world.profiled(ctx, fmt.Sprintf("ajo-contribute-%02d-%s", s.taken, name))
	if err != nil {
		return err
	}
	defer stop()
	before, err := s.world.spent(ctx, s.program)
	if err != nil {
		return err
	}
	done, err := s.load(ctx, dues, ajoFor)
	if err != nil {
		return err
	}
	after, err := s.world.spent(ctx, s.program)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%-6s %.0f payments/s\n", name, done.Rate)
	t.rates, t.payments = append(t.rates, done.Rate), t.payments+done.Payments
	t.p50, t.p99, t.cost = max(t.p50, done.P50), max(t.p99, done.P99), t.cost.and(after.since(before))
	return nil
}

// load makes members pay for so long, and waits until the read models have caught up.
func (s *series) load(ctx context.Context, dues bool, d time.Duration) (loaded, error) {
	done, err := load{Address: s.program.address, Clients: clients, Each: 1, For: d, Ajo: dues, From: s.paid}.spawn(ctx)
	if dues {
		s.paid += done.Payments
	}
	return done, errors.Join(err, s.world.level(ctx, time.Minute))
}

// running is an ajo that has started, in the order of its seats.
type running struct {
	id    string
	terms *nairav1.AjoTerms
	seats []string // The holder of each.
	start time.Time
}

// ajosOf makes so many ajo, of the members who have sessions, which began so long ago that nobody gets a letter about
// it.
func ajosOf(n, seats int, frequency nairav1.PaymentFrequency) []running {
	now := time.Now().AddDate(0, 0, -2)
	list := make([]running, n)
	for i := range list {
		terms := ajo.Usual()
		terms.AmountKobo, terms.Seats, terms.Frequency = int64(ajoAmount), int32(seats), frequency
		terms.StartMonth, terms.StartYear = int32(now.Month()), int32(now.Year())
		list[i] = running{id: ajoID(i), terms: terms, start: now}
		for s := range seats {
			list[i].seats = append(list[i].seats, ajoHolder(i, s, seats))
		}
	}
	return list
}

// ajoHolder is the holder of a seat of the n-th ajo.
func ajoHolder(n, seat, seats int) string { return userID((n*seats + seat) % sessions) }

// drafts returns the events that found the ajo and start it.
func (r running) drafts() []event.Draft {
	hash := ajo.TermsHash(r.terms)
	on := event.On
	out := []event.Draft{on(ajo.Stream(r.id), &nairav1.AjoCreated{AjoId: r.id, OwnerId: r.seats[0], Name: "Bench ajo", Terms: r.terms})}
	started := &nairav1.AjoStarted{
		AjoId: r.id, FirstCycle: 1, ValidatorId: r.seats[len(r.seats)-1], FirstDue: ajo.FirstDue(r.terms, savings.Day(r.start)).Format(time.DateOnly),
	}
	for i, user := range r.seats {
		out = append(out, on(ajo.Stream(r.id), &nairav1.AjoSeatTakenV2{AjoId: r.id, UserId: user, Seat: int32(i + 1), Halves: 2, Nonce: []byte(user)[20:], TermsHash: hash[:]}))
		started.Order = append(started.Order, int32(i+1))
	}
	return append(out, on(ajo.Stream(r.id), &nairav1.AjoListClosedV2{AjoId: r.id, Order: r.terms.GetOrder(), TermsHash: hash[:]}), on(ajo.Stream(r.id), started))
}

// raw records events as they are, without the rules of joining, which this benchmark does not measure.
type raw []event.Draft

// Streams implements event.Command.
func (r raw) Streams() (streams []string) {
	for _, d := range r {
		if len(streams) == 0 || streams[len(streams)-1] != d.Stream {
			streams = append(streams, d.Stream)
		}
	}
	return streams
}

// Accounts implements event.Command.
func (raw) Accounts() []string { return nil }

// Decide implements event.Command.
func (r raw) Decide(event.View) ([]event.Draft, error) { return r, nil }

// found records that the ajo were founded and have started.
func (w *world) found(ctx context.Context, list []running) error {
	const together = 40
	began := time.Now()
	err := each((len(list)+together-1)/together, 16, func(n int) error {
		var all raw
		for _, r := range list[n*together : min(len(list), (n+1)*together)] {
			all = append(all, r.drafts()...)
		}
		_, err := w.ledger.Append(ctx, at(all, list[n*together].start))
		return err
	})
	fmt.Fprintf(os.Stderr, "%d ajo were founded in %.0f s\n", len(list), time.Since(began).Seconds())
	return err
}

// payDue is a member's n-th due. Some ajo are paid at the same time, one due of each after the other. A number beyond
// the last due asks for an ajo that does not exist, and fails.
func (d *door) payDue(n int) string {
	const dues = ajoSeats - 1 // The first seat collects, and its own due is taken from the pot.
	block, in := n/(ajoBeside*dues), n%(ajoBeside*dues)
	which, seat := block*ajoBeside+in%ajoBeside, 1+in/ajoBeside
	return d.due(which, seat, 1, (which*ajoSeats+seat)%sessions)
}

// due pays the due of a seat, counted from 0, in a cycle.
func (d *door) due(which, seat, cycle, user int) string {
	body := fmt.Sprintf(`{"what":"DUE","cycle":%d,"seat":%d,"amount":%d,"userId":%q}`, cycle, seat+1, ajoAmount/money.Naira, userID(user))
	return d.post("/api/v1/ajo/"+ajoID(which)+"/pay", user, body)
}
