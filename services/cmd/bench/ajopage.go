package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
)

const (
	pageSeats = 50 // And as many cycles: all but the last have ended.
	pageAjos  = 8
	pageRate  = 40 // Dues a second while pages are read: all the dues of the last cycle.
)

var ajoPages = benchmark{name: "ajo-page", once: true, limit: 20 * time.Minute, run: ajoPage, rows: []spec{
	{"ajo-page", "ms at p95", bar{most: 150}},
	{"ajo-page-busy", "ms at p95", bar{most: 150}},
	{"ajo-members-busy", "ms at p95", bar{most: 150}},
}}

// ajoPage measures the requests of the page of an ajo of 50 seats in its 50th cycle, read over HTTP by its members from
// two clients. It reads the ajo itself, while nothing happens and while members of it and of others like it pay their
// last dues (ajo-page-busy), and the table of its members with their payments, while they pay too. Everything is on.
func ajoPage(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, sessions); err != nil {
		return nil, err
	}
	list := ajosOf(pageAjos, pageSeats, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY)
	for i := range list {
		list[i].since(list[i].start.AddDate(0, 0, -7*(pageSeats-1)-1))
	}
	if err := w.found(ctx, list); err != nil {
		return nil, err
	}
	if err := each(len(list), 8, func(n int) error { return w.lived(ctx, list[n]) }); err != nil {
		return nil, err
	}
	p, err := w.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	if err := w.level(ctx, 5*time.Minute); err != nil {
		return nil, err
	}
	d := keys()
	page := func(n int) string {
		return d.get("/api/Ajo/GetAjoById/"+ajoID(n%pageAjos), n%pageAjos*pageSeats%sessions, 0)
	}
	quiet, err := readAjo(p, "ajo-page", page)
	if err != nil {
		return nil, err
	}
	paying, stop := context.WithCancel(ctx)
	paid := make(chan error, 1)
	go func() { paid <- d.payLast(paying, p) }()
	busy, err := readAjo(p, "ajo-page-busy", page)
	if err == nil {
		var members row
		members, err = readAjo(p, "ajo-members-busy", func(n int) string {
			return d.get("/api/Ajo/member-contribution/"+ajoID(n%pageAjos), n%pageAjos*pageSeats%sessions, 0)
		})
		stop()
		return []row{quiet, busy, members}, cmp.Or(err, <-paid)
	}
	stop()
	return []row{quiet}, errors.Join(err, <-paid)
}

func readAjo(p *program, name string, request func(int) string) (row, error) {
	read, err := overHTTP(p.address, bigReaders, request)
	r := read.row(name, 0)
	r.Ours = read.percentile(95)
	return r, err
}

// keys makes the sessions of the world's members, for a program in another process.
func keys() *door {
	d := &door{}
	for n := range sessions {
		d.tokens, _ = keep(d.tokens, "bench", n)
		d.secrets, _ = keep(d.secrets, "secret", n)
	}
	return d
}

// payLast pays the dues of the last cycle of each ajo, in turn, so many a second. The last seat collects.
func (d *door) payLast(ctx context.Context, p *program) error {
	conn, err := dial(p.address)
	if err != nil {
		return err
	}
	defer conn.conn.Close()
	for n := range pageAjos * (pageSeats - 1) {
		which, seat := n%pageAjos, n/pageAjos
		user := (which*pageSeats + seat) % sessions
		if wait(ctx, time.Second/pageRate) != nil {
			return nil
		}
		if _, err := conn.ask(d.due(which, seat, pageSeats, user)); err != nil {
			return err
		}
	}
	return nil
}

// since moves the start of an ajo to another time.
func (r *running) since(start time.Time) {
	r.start = start
	r.terms.StartMonth, r.terms.StartYear = int32(start.Month()), int32(start.Year())
}

// lived plays all but the last cycle of an ajo, each full and paid out because nobody decided.
func (w *world) lived(ctx context.Context, r running) error {
	first := ajo.FirstDue(r.terms, savings.Day(r.start))
	for k := 1; k < len(r.seats); k++ {
		on := first.AddDate(0, 0, 7*(k-1)).Add(10 * time.Hour)
		var bulk store.Bulk
		for seat := range r.seats {
			if seat+1 != k {
				bulk = append(bulk, r.pays(k, seat, on))
			}
		}
		bulk = append(bulk, ajopot.Judge{AjoID: r.id, Cycle: k, People: r.seats, Now: on})
		if _, err := w.ledger.Append(ctx, at(bulk, on)); err != nil {
			return fmt.Errorf("cycle %d: %w", k, err)
		}
		later := on.AddDate(0, 0, 14)
		if _, err := w.ledger.Append(ctx, at(ajopot.PaySilent(r.id, k, r.seats, later), later)); err != nil {
			return fmt.Errorf("cycle %d: %w", k, err)
		}
	}
	return nil
}

// pays is the due of a seat, counted from 0.
func (r running) pays(cycle, seat int, at time.Time) ajopot.Pay {
	return ajopot.Pay{
		AjoID: r.id, Cycle: cycle, Seat: seat + 1, User: r.seats[seat], By: r.seats[seat], Amount: money.Kobo(r.terms.GetAmountKobo()),
		Channel: nairav1.Channel_CHANNEL_WALLET, At: at,
	}
}
