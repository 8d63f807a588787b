package ajos

import (
	"maps"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
)

// keep writes an ajo's state after a batch.
func (f *folding) keep(id string, a *kept) {
	if a.light {
		f.keepLight(id, a)
		return
	}
	if a.state.Status == ajo.None {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(a.changed)) {
		f.keepCycle(id, a, k)
	}
	if !a.listed && len(a.changed) == 0 {
		return
	}
	d := deriving(a)
	switch {
	case a.listed:
		f.keepMembers(id, a.was, *a.state)
		f.keepAjo(id, a, d)
	case d.full != a.full || d.paidOut != a.paidOut:
		f.batch.Queue("UPDATE rm_ajos SET is_full = $2, is_paid_out = $3 WHERE ajo_id = $1", id, d.full, d.paidOut)
	}
}

// keepMembers writes the current holders of places. A member who gave up theirs stays, as one who has left.
func (f *folding) keepMembers(id string, was []ajo.Seat, a ajo.Ajo) {
	if slices.EqualFunc(was, a.Seats, func(x, y ajo.Seat) bool { return slices.EqualFunc(x.Places, y.Places, samePlace) }) {
		return
	}
	members := a.Members()
	f.batch.Queue("UPDATE rm_ajo_members SET has_left = true, seats = '{}', halves = 0 WHERE ajo_id = $1 AND NOT has_left AND user_id <> ALL($2)", id, append([]string{}, members...))
	for _, user := range members {
		f.batch.Queue(`INSERT INTO rm_ajo_members (ajo_id, user_id, seats, halves, has_left) VALUES ($1, $2, $3, $4, false)
			ON CONFLICT (ajo_id, user_id) DO UPDATE SET seats = excluded.seats, halves = excluded.halves, has_left = false`,
			id, user, ajo.Int32s(a.SeatsOf(user)), a.HalvesOf(user))
	}
}

func samePlace(x, y ajo.Place) bool { return x.User == y.User && x.Halves == y.Halves }

func (f *folding) keepAjo(id string, a *kept, d derived) {
	if a.agreed {
		f.briefs.forget(id)
		f.batch.Queue("INSERT INTO rm_ajo_states (ajo_id, state, brief) VALUES ($1, $2, $3) ON CONFLICT (ajo_id) DO UPDATE SET state = excluded.state, brief = excluded.brief",
			id, frozen(ajo.Ajos, shown(*a.state)), outlineText(*a.state))
	}
	f.batch.Queue(`UPDATE rm_ajos SET owner = $2, status = $3, members = $4, free_halves = $5, cycle = $6, opens = $7, due = $8, chosen_by = $9,
			deadline = $10, is_full = $11, lapses = $12, draw_at = $13, accept_by = $14, opening_until = $15, motion_until = $16, resumes = $17,
			is_paid_out = $18, is_carried = $19, ready = $20 WHERE ajo_id = $1`,
		id, a.state.Owner, string(a.state.Status), len(a.state.Members()), d.free, d.cycle, d.opens, d.due, d.chosenBy,
		d.deadline, d.full, d.lapses, d.drawAt, d.acceptBy, d.openingUntil, d.motionUntil, d.resumes, d.paidOut, d.carried,
		readyText(a.state.Cycles))
}

// shown is an ajo without the lists that it was drawn from, which take half of the time to read it, and without the
// cycles that readyText writes. Checking a draw reads those lists from the ledger.
func shown(a ajo.Ajo) ajo.Ajo {
	a.Sealed, a.DrawnFrom, a.Cycles = nil, nil, nil
	return a
}

// derived is the columns that follow from the states of an ajo and its cycles.
type derived struct {
	free, cycle                    int
	opens, due, chosenBy, deadline string
	lapses, resumes                string
	full, paidOut, carried         bool
	drawAt, acceptBy               *time.Time
	openingUntil, motionUntil      *time.Time
}

func deriving(k *kept) (d derived) {
	a := *k.state
	for _, s := range a.Seats {
		d.free += 2 - s.Halves()
	}
	switch {
	case a.Status == ajo.Open:
		d.lapses = a.Lapses().Format(time.DateOnly)
		if !a.AcceptBy.IsZero() && slices.ContainsFunc(a.Members(), func(user string) bool { return !a.Accepted(user) }) {
			d.acceptBy = &a.AcceptBy
		}
	case a.Status == ajo.Ordering:
		d.drawAt = &a.Closing.DrawAt
		if len(a.Revealed) >= len(a.Members()) {
			d.drawAt = &a.Closing.At // Every phone has revealed: there is nothing to wait for.
		}
	case a.HasStarted():
		d.running(k)
	}
	return d
}

// running derives the columns of an ajo between its start and its end.
func (d *derived) running(k *kept) {
	a := *k.state
	if !a.Over() {
		d.cycle = a.Current()
		d.opens, d.due = a.Opens(d.cycle).Format(time.DateOnly), a.Due(d.cycle).Format(time.DateOnly)
		d.chosenBy, d.deadline = ajopot.ChosenBy(a, d.cycle).Format(time.DateOnly), a.Deadline(d.cycle).Format(time.DateOnly)
		d.full = full(a, k.cycles[d.cycle])
	}
	d.paidOut = a.Done()
	for _, ready := range a.Cycles {
		d.paidOut = d.paidOut && k.cycles[ready.Cycle].PaidOut
	}
	for _, o := range a.Openings {
		d.openingUntil = earlier(d.openingUntil, o.Until)
	}
	for _, m := range a.Motions {
		d.motionUntil = earlier(d.motionUntil, m.Until)
		d.carried = d.carried || a.Carried(m)
	}
	if a.Status == ajo.Paused && len(a.Pauses) > 0 {
		d.resumes = a.Opens(a.Pauses[len(a.Pauses)-1]).Format(time.DateOnly)
	}
}

func earlier(before *time.Time, at time.Time) *time.Time {
	if before == nil || at.Before(*before) {
		return &at
	}
	return before
}

// full reports whether there is a seat for whose turn all others have paid. Only the ledger knows whether that seat
// collects.
func full(a ajo.Ajo, c ajopot.Cycle) bool {
	if len(a.Frozen) == 0 {
		return payingIn(a, a.Current()).full(c)
	}
	return slices.ContainsFunc(a.Order[a.Last():], func(seat int) bool {
		turned := a
		if a.Order[a.Last()] != seat {
			turned.Order = a.Sooner(seat)
		}
		return len(unpaid(turned, c, a.Current(), seat)) == 0
	})
}

// Missing is the unpaid part of a place's due.
type Missing struct {
	Seat   int
	User   string
	Amount money.Kobo
}

// unpaid is the unpaid dues of a cycle, for the places of all seats but one.
func unpaid(a ajo.Ajo, c ajopot.Cycle, cycle, but int) (all []Missing) {
	for i, s := range a.Seats {
		for _, p := range s.Places {
			if missing := a.DueOf(i+1, p, cycle) - c.Paid(i+1, p.User); i+1 != but && missing > 0 {
				all = append(all, Missing{i + 1, p.User, missing})
			}
		}
	}
	return all
}

func (f *folding) keepCycle(id string, a *kept, k int) {
	c := a.cycles[k]
	var heldUntil, paysItself *time.Time
	for _, r := range c.Refusals {
		if heldUntil == nil || r.Until.After(*heldUntil) {
			heldUntil = &r.Until
		}
	}
	ready, is := a.state.ReadyOf(k)
	if is && !c.PaidOut {
		at := ajopot.PayByItself(*a.state, ready, c)
		paysItself = &at
	}
	f.batch.Queue(`INSERT INTO rm_ajo_cycles (ajo_id, cycle, state, seat, collected, netted, missing, discount, ready_at, requested_by, requested_at,
			destination, approvals, held_until, pays_itself, paid_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (ajo_id, cycle) DO UPDATE SET state = excluded.state, seat = excluded.seat, collected = excluded.collected,
			netted = excluded.netted, missing = excluded.missing, discount = excluded.discount, ready_at = excluded.ready_at,
			requested_by = excluded.requested_by, requested_at = excluded.requested_at, destination = excluded.destination, approvals = excluded.approvals,
			held_until = excluded.held_until, pays_itself = excluded.pays_itself, paid_at = excluded.paid_at`,
		id, k, cycleText(c), ready.Seat, int64(ready.Collected), int64(ready.Netted), int64(ready.Missing), int64(ready.Discount),
		orNull(ready.At), c.RequestedBy, orNull(c.RequestedAt), int32(c.Destination), len(c.Approvals), heldUntil, paysItself, orNull(c.PaidAt))
}

func orNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// retries are the days on which a debt is taken from its debtor's wallet.
func retries(a ajo.Ajo, openedAt time.Time) []string {
	days := []string{}
	for _, n := range a.Terms.GetRetryDays() {
		days = append(days, savings.Day(openedAt).AddDate(0, 0, int(n)).Format(time.DateOnly))
	}
	return days
}
