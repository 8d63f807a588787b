package ajos

import (
	"cmp"
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
	Users []string  // Who is told, besides those of Dues.
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
	b.Users = slices.DeleteFunc(b.Users, func(user string) bool {
		return slices.ContainsFunc(b.Dues, func(m Missing) bool { return m.User == user })
	})
	return b
}

// full reports whether there is a seat to whose turn all others have paid.
func (b brief) full(c ajopot.Cycle) bool {
	unpaid := 0 // The seat that has not paid.
	for _, m := range b.Dues {
		switch {
		case c.Paid(m.Seat, m.User) >= m.Amount:
		case unpaid != 0 && unpaid != m.Seat:
			return false
		default:
			unpaid = m.Seat
		}
	}
	return unpaid == 0 && len(b.Able) > 0 || slices.Contains(b.Able, unpaid)
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
	ajos, payments []string
	cycles         []int32
	paidIn         []int64
}

// keepDues notes the cycles of an ajo into which dues were paid.
func (f *folding) keepDues(id string, a *kept) {
	p := &f.dues
	for _, k := range slices.Sorted(maps.Keys(a.changed)) {
		p.ajos, p.cycles = append(p.ajos, id), append(p.cycles, int32(k))
		added := paymentsText(a.cycles[k].Payments[a.found[k].payments:])
		p.payments, p.paidIn = append(p.payments, added), append(p.paidIn, int64(held(a.cycles[k])))
		pots.put(cmp.Or(a.found[k].text, "{}")+added, a.cycles[k])
	}
	if full := a.brief.full(a.cycles[a.current]); a.changed[a.current] && full != a.full {
		f.batch.Queue("UPDATE rm_ajos SET is_full = $2 WHERE ajo_id = $1", id, full)
	}
}

// paidTogether is how many cycles are written by one statement: the longer it is, the more room its arguments take.
const paidTogether = 24

// queuePaid writes them.
func (f *folding) queuePaid() {
	for p := f.dues; len(p.ajos) > 0; {
		n := min(paidTogether, len(p.ajos))
		f.batch.Upsert(n, `UPDATE rm_ajo_cycles c SET payments = c.payments || n.payments, paid_in = n.paid_in
				FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) AS n (ajo_id, cycle, payments, paid_in) WHERE c.ajo_id = n.ajo_id AND c.cycle = n.cycle`,
			`INSERT INTO rm_ajo_cycles (ajo_id, cycle, payments, paid_in, state, seat, collected, netted, missing, discount, requested_by, destination, approvals)
				SELECT n.*, '{}', 0, 0, 0, 0, 0, '', 0, 0 FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) AS n ON CONFLICT DO NOTHING`,
			p.ajos[:n], p.cycles[:n], p.payments[:n], p.paidIn[:n])
		p = paidCycles{p.ajos[n:], p.payments[n:], p.cycles[n:], p.paidIn[n:]}
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
