package ajos

import (
	"encoding/json"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine"
)

// brief is the part of an ajo that a fold needs to pay dues and to make full pots ready: most batches read it in place
// of the whole state. Neither of the two changes a brief.
type brief struct {
	ajo     ajo.Ajo // As outline returns it.
	members []string
	paying  *paying // Of the cycle last asked for.
}

// paying is the dues of a cycle.
type paying struct {
	cycle int
	dues  []Missing // Paid or not, including the collector's.
	kobo  int64     // The sum of all dues.
	able  []int     // The seats that may collect.
}

// outline is an ajo with its seats and their members, the collecting order, and the data of the calendar for all cycles
// but the first, which begins with the ajo. Of the terms it has those that the fold reads.
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

// in is the dues of a cycle that is the current one; 0 is none.
func (b *brief) in(cycle int) *paying {
	if b.paying == nil || b.paying.cycle != cycle {
		b.paying = payingIn(b.ajo, cycle)
	}
	return b.paying
}

// filledBy reports whether a due may have filled the pot of a cycle for some seat. It did not if more is missing than
// one seat's due, nor if something is missing and the next seat in the order has not paid either.
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

// full reports whether there is a seat for whose turn all others have paid. It is for ajo in which the dues do not
// depend on the collecting seat.
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

// readyText encodes the cycles whose pots may be paid out.
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
