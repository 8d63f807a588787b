package ajos

import (
	"encoding/json"
	"maps"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine"
)

// brief is what a fold needs of an ajo into which no more than dues are paid: most batches read it in place of the
// whole state.
type brief struct {
	Users []string  // Who is told.
	Dues  []Missing // To the current cycle, paid or not.
	Able  []int     // The seats of which one collects in it.
	// Turns is set when what is due depends on who collects; the whole state is read then.
	Turns bool
}

func briefOf(a ajo.Ajo) brief {
	b := brief{Users: a.Members(), Turns: len(a.Frozen) > 0}
	if a.HasStarted() && !a.Over() {
		b.Dues, b.Able = unpaid(a, ajopot.Cycle{}, a.Current(), 0), a.Order[a.Last():]
	}
	return b
}

// full reports whether there is a seat to whose turn all others have paid.
func (b brief) full(c ajopot.Cycle) bool {
	missing := slices.DeleteFunc(slices.Clone(b.Dues), func(m Missing) bool { return c.Paid(m.Seat, m.User) >= m.Amount })
	if len(missing) == 0 {
		return len(b.Able) > 0
	}
	seat := missing[0].Seat
	return slices.Contains(b.Able, seat) && !slices.ContainsFunc(missing, func(m Missing) bool { return m.Seat != seat })
}

func (b brief) String() string {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // Texts and numbers never fail.
	}
	return string(text)
}

// onlyDues reports whether an event does no more than pay a due.
func onlyDues(e engine.Event) bool {
	_, is := e.Message.(*nairav1.AjoContributed)
	return is
}

// paidCycles are cycles into which dues were paid, column by column.
type paidCycles struct {
	ajos, states []string
	cycles       []int32
	paidIn       []int64
}

// keepDues notes the cycles of an ajo into which dues were paid.
func (f *folding) keepDues(id string, a *kept) {
	p := &f.dues
	for _, k := range slices.Sorted(maps.Keys(a.changed)) {
		p.ajos, p.cycles = append(p.ajos, id), append(p.cycles, int32(k))
		p.states, p.paidIn = append(p.states, cycleText(a.cycles[k])), append(p.paidIn, int64(held(a.cycles[k])))
	}
	if full := a.brief.full(a.cycles[a.current]); a.changed[a.current] && full != a.full {
		f.batch.Queue("UPDATE rm_ajos SET is_full = $2 WHERE ajo_id = $1", id, full)
	}
}

// queuePaid writes them.
func (f *folding) queuePaid() {
	if p := f.dues; len(p.ajos) > 0 {
		f.batch.Queue(`INSERT INTO rm_ajo_cycles (ajo_id, cycle, state, paid_in, seat, collected, netted, missing, discount, requested_by, destination, approvals)
			SELECT n.*, 0, 0, 0, 0, 0, '', 0, 0 FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) AS n
			ON CONFLICT (ajo_id, cycle) DO UPDATE SET state = excluded.state, paid_in = excluded.paid_in`, p.ajos, p.cycles, p.states, p.paidIn)
	}
}

// held is what a cycle's pot holds.
func held(c ajopot.Cycle) money.Kobo {
	var sum money.Kobo
	if c.PaidOut {
		return 0
	}
	for _, p := range c.Payments {
		sum += p.Amount
	}
	return sum
}
