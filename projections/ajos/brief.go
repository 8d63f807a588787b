package ajos

import (
	"encoding/json"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine"
)

// brief is what a fold needs of an ajo into which dues are paid and whose full pots are made ready: most batches read
// it in place of the whole state. What is in it changes with neither.
type brief struct {
	ajo     ajo.Ajo // As outline has it.
	members []string
	paying  *paying // Of the cycle that was asked for last.
}

// paying is what members pay to a cycle.
type paying struct {
	cycle int
	dues  []Missing // Paid or not, by whoever collects too.
	kobo  int64     // All of those.
	able  []int     // The seats of which one collects.
}

// outline is an ajo with who holds which place, in which order they collect and what the calendar follows from of all
// cycles but the first, which begins with the ajo. Of its terms it has those that the fold asks for.
func outline(a ajo.Ajo) ajo.Ajo {
	t := a.Terms
	kept := ajo.Ajo{
		Status: a.Status, Past: a.Past, Order: a.Order, Pauses: a.Pauses, Frozen: a.Frozen, FirstDue: a.FirstDue, FirstCycle: a.FirstCycle,
		Terms: &nairav1.AjoTerms{
			AmountKobo: t.GetAmountKobo(), Frequency: t.GetFrequency(), DueDay: t.GetDueDay(), GraceDays: t.GetGraceDays(), Order: t.GetOrder(),
			RevealDays: t.GetRevealDays(), RequestedDays: t.GetRequestedDays(), UnrequestedDays: t.GetUnrequestedDays(),
		},
	}
	for _, s := range a.Seats {
		var places []ajo.Place
		for _, p := range s.Places {
			places = append(places, ajo.Place{User: p.User, Halves: p.Halves})
		}
		kept.Seats = append(kept.Seats, ajo.Seat{Places: places})
	}
	return kept
}

func outlineText(a ajo.Ajo) string { return string(frozen(ajo.Ajos, outline(a))) }

// in is what members pay to a cycle that is the current one; 0 is none.
func (b *brief) in(cycle int) *paying {
	if b.paying == nil || b.paying.cycle != cycle {
		b.paying = payingIn(b.ajo, cycle)
	}
	return b.paying
}

// filledBy reports whether a due may have filled the pot of a cycle for somebody to collect. It did not where more is
// missing than one seat's due, nor where something is and whoever collects by the order has not paid either.
func (b *brief) filledBy(cycle int, missing, held int64) bool {
	return missing <= int64(ajo.Share(b.ajo.Terms, 2)) && (missing == 0 || held+missing >= b.in(cycle).kobo)
}

func payingIn(a ajo.Ajo, cycle int) *paying {
	if cycle == 0 {
		return &paying{}
	}
	p := &paying{cycle: cycle, dues: unpaid(a, ajopot.Cycle{}, cycle, 0), able: a.Order[cycle-1:]}
	for _, due := range p.dues {
		p.kobo += int64(due.Amount)
	}
	return p
}

// full reports whether there is a seat to whose turn all others have paid, where what is due does not depend on who
// collects.
func (p *paying) full(c ajopot.Cycle) bool {
	unpaid := 0 // The seat that has not paid.
	for _, m := range p.dues {
		switch {
		case c.Paid(m.Seat, m.User) >= m.Amount:
		case unpaid != 0 && unpaid != m.Seat:
			return false
		default:
			unpaid = m.Seat
		}
	}
	return unpaid == 0 && len(p.able) > 0 || slices.Contains(p.able, unpaid)
}

// isLight reports whether an event does no more than pay a due or make a pot ready.
func isLight(e engine.Event) bool {
	switch e.Message.(type) {
	case *nairav1.AjoContributed, *nairav1.AjoCycleReady:
		return true
	}
	return false
}

// readyText are the cycles whose pots may be paid out, as they are written down.
func readyText(cycles []ajo.Ready) string {
	if len(cycles) == 0 {
		return ""
	}
	text, err := json.Marshal(cycles)
	if err != nil {
		panic(err) // Numbers and times never fail.
	}
	return string(text)
}
