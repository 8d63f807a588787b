package ajos

import (
	"slices"
	"time"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine/write"
)

// together is how many pots are written by one statement: the longer it is, the more room its arguments take.
const together = 24

// lightly is the writes for light ajo, into which dues are paid and whose pots are made ready, column by column.
type lightly struct {
	begun namedCycles // Cycles with their first due, whose pots are not made ready.
	ready readyCycles
	next  nextCycles
}

// readyCycles are cycles whose pots were made ready.
type readyCycles struct {
	ajos                                  []string
	cycles, seats                         []int32
	collected, netted, missing, discounts []int64
	at, paysItself                        []time.Time
}

// nextCycles are the cycles to pay once such pots are ready; 0 for an ajo that has no more.
type nextCycles struct {
	ajos, opens, due, chosenBy, deadline, ready []string
	cycles                                      []int32
	full                                        []bool
}

// keepLight collects the writes for an ajo into which dues are paid and whose pots are made ready.
func (f *folding) keepLight(id string, a *kept) {
	var ready []ajo.Ready
	if a.listed {
		ready = a.state.Cycles[a.wereReady:]
	}
	for _, k := range a.begun {
		if !slices.ContainsFunc(ready, func(r ajo.Ready) bool { return r.Cycle == k }) {
			f.light.begun.add(id, int32(k))
		}
	}
	if a.appends {
		return
	}
	if a.listed {
		f.keepReady(id, a, ready)
		return
	}
	if full := a.brief.in(a.current).full(a.cycles[a.current]); a.changed[a.current] && full != a.full {
		f.batch.Queue("UPDATE rm_ajos SET is_full = $2 WHERE ajo_id = $1", id, full)
	}
}

// keepReady collects the pots that were made ready, and the ajo's new columns. None of them is paid out yet.
func (f *folding) keepReady(id string, a *kept, all []ajo.Ready) {
	r := &f.light.ready
	for _, ready := range all {
		r.ajos, r.cycles, r.seats = append(r.ajos, id), append(r.cycles, int32(ready.Cycle)), append(r.seats, int32(ready.Seat))
		r.collected, r.netted = append(r.collected, int64(ready.Collected)), append(r.netted, int64(ready.Netted))
		r.missing, r.discounts = append(r.missing, int64(ready.Missing)), append(r.discounts, int64(ready.Discount))
		r.at = append(r.at, ready.At)
		r.paysItself = append(r.paysItself, ajopot.PayByItself(*a.state, ready, a.cycles[ready.Cycle]))
	}
	var d derived
	d.running(a)
	n := &f.light.next
	n.ajos, n.cycles, n.full = append(n.ajos, id), append(n.cycles, int32(d.cycle)), append(n.full, d.full)
	n.opens, n.due, n.chosenBy, n.deadline = append(n.opens, d.opens), append(n.due, d.due), append(n.chosenBy, d.chosenBy), append(n.deadline, d.deadline)
	n.ready = append(n.ready, readyText(a.state.Cycles))
}

// queue queues all writes. No cycle is both among those that begin and among those that were made ready.
func (l *lightly) queue(batch *write.Batch) {
	l.begun.begin(batch)
	l.ready.queue(batch)
	l.next.queue(batch)
}

// parts has so many written, a few at a time.
func parts(n int, write func(from, to int)) {
	for from := 0; from < n; from += together {
		write(from, min(n, from+together))
	}
}

// begin writes cycles that have no row yet. Only rm_ajo_payments has the payments into them.
func (n *namedCycles) begin(batch *write.Batch) {
	if len(n.ajos) > 0 {
		batch.Queue(`INSERT INTO rm_ajo_cycles (ajo_id, cycle, state, seat, collected, netted, missing, discount, requested_by, destination, approvals)
			SELECT n.*, '{}', 0, 0, 0, 0, 0, '', 0, 0 FROM unnest($1::text[], $2::integer[]) AS n (ajo_id, cycle) ON CONFLICT DO NOTHING`, n.ajos, n.cycles)
	}
}

func (r *readyCycles) queue(batch *write.Batch) {
	parts(len(r.ajos), func(i, j int) {
		const rows = `unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::timestamptz[], $9::timestamptz[])
			AS n (ajo_id, cycle, seat, collected, netted, missing, discount, ready_at, pays_itself)`
		batch.Upsert(j-i, `UPDATE rm_ajo_cycles c SET seat = n.seat, collected = n.collected, netted = n.netted, missing = n.missing, discount = n.discount,
				ready_at = n.ready_at, pays_itself = n.pays_itself FROM `+rows+" WHERE c.ajo_id = n.ajo_id AND c.cycle = n.cycle",
			`INSERT INTO rm_ajo_cycles (ajo_id, cycle, seat, collected, netted, missing, discount, ready_at, pays_itself, state, requested_by, destination, approvals)
				SELECT n.*, '{}', '', 0, 0 FROM `+rows+" ON CONFLICT DO NOTHING",
			r.ajos[i:j], r.cycles[i:j], r.seats[i:j], r.collected[i:j], r.netted[i:j], r.missing[i:j], r.discounts[i:j], r.at[i:j], r.paysItself[i:j])
	})
}

func (n *nextCycles) queue(batch *write.Batch) {
	parts(len(n.ajos), func(i, j int) {
		batch.Queue(`UPDATE rm_ajos a SET cycle = n.cycle, opens = n.opens, due = n.due, chosen_by = n.chosen_by, deadline = n.deadline, is_full = n.is_full, ready = n.ready
			FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[])
				AS n (ajo_id, cycle, opens, due, chosen_by, deadline, is_full, ready) WHERE a.ajo_id = n.ajo_id`,
			n.ajos[i:j], n.cycles[i:j], n.opens[i:j], n.due[i:j], n.chosenBy[i:j], n.deadline[i:j], n.full[i:j], n.ready[i:j])
	})
}
