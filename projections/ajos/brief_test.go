package ajos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine"
)

// When a due is paid all members are notified, whether a brief lists them as debtors or as others to notify.
func TestEveryMemberReadsAnAjoAgainWhenADueIsPaid(t *testing.T) {
	t.Parallel()
	a := ajo.Ajo{
		Status: ajo.Active, Owner: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 500, Seats: 3}, Order: []int{1, 2, 3},
		Seats: []ajo.Seat{{Places: []ajo.Place{{User: "ada", Halves: 2}}}, {Places: []ajo.Place{{User: "obi", Halves: 1}, {User: "ife", Halves: 1}}}, {Places: []ajo.Place{{User: "ada", Halves: 2}}}},
	}
	for cycle := range len(a.Order) + 1 { // In the end it is over, and nobody owes.
		read, err := briefIn([]byte(outlineText(a)))
		require.NoError(t, err)
		f := folding{ajos: map[string]*kept{"a": {light: true, brief: read, cycles: map[int]ajopot.Cycle{}, changed: map[int]bool{}}}}
		f.inCycle(engine.Event{Message: &nairav1.AjoContributed{AjoId: "a", Cycle: 1}}, &nairav1.AjoContributed{AjoId: "a", Cycle: 1})
		told := make([]string, 0, 3)
		for user := range f.changes.Users {
			told = append(told, user)
		}
		slices.Sort(told)
		require.Equal(t, []string{"ada", "ife", "obi"}, told)
		a.Cycles = append(a.Cycles, ajo.Ready{Cycle: cycle + 1})
	}
}

// Briefs in use stay, and their number is bounded.
func TestABoundedNumberOfBriefsIsRemembered(t *testing.T) {
	t.Parallel()
	var m briefs
	used := &brief{}
	m.put("used", used)
	for n := range 10 * briefsMost {
		m.put(fmt.Sprint(n), &brief{})
		require.LessOrEqual(t, len(m.young)+len(m.old), 2*briefsMost)
		require.Same(t, used, m.of("used"))
	}
	m.forget("used")
	require.Nil(t, m.of("used"))
}

// Making a pot ready has the same result with an ajo's outline as with the whole ajo.
func TestAnOutlineComesToWhatTheWholeAjoComesTo(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := someAjo(r)
		k := a.Current()
		c := ajopot.Cycle{}
		var paid, missing money.Kobo
		for i, s := range a.Seats {
			for _, p := range s.Places {
				due := a.DueOf(i+1, p, k)
				if r.IntN(5) > 0 {
					c.Payments = append(c.Payments, ajopot.Payment{Seat: i + 1, User: p.User, By: p.User, Amount: due})
					paid += due
				} else if i+1 != a.Order[k-1] {
					missing += due
				}
			}
		}
		if r.IntN(2) == 0 {
			c.RequestedBy, c.RequestedAt = "u0", a.StartedAt.AddDate(0, 0, 1)
		}
		b, err := briefIn([]byte(outlineText(a)))
		require.NoError(t, err)
		require.Equal(t, a.Members(), b.members)
		require.Equal(t, full(a, c), b.in(k).full(c), "seed %d", seed)
		require.True(t, b.filledBy(k, int64(missing), int64(paid)) || !full(a, c), "seed %d", seed)
		require.Equal(t, full(a, ajopot.Cycle{}), b.in(k).full(ajopot.Cycle{}))

		ready := ajo.Ready{Cycle: k, Seat: a.Order[k-1], At: a.StartedAt.AddDate(0, 0, 3)}
		outlined := b.ajo
		outlined.Cycles = append(slices.Clone(a.Cycles), ready)
		a.Cycles = append(slices.Clone(a.Cycles), ready)
		var by, of derived
		by.running(&kept{state: &outlined, cycles: map[int]ajopot.Cycle{k: c}})
		of.running(&kept{state: &a, cycles: map[int]ajopot.Cycle{k: c}})
		require.Equal(t, of, by, "seed %d", seed)
		require.Equal(t, ajopot.PayByItself(a, ready, c), ajopot.PayByItself(outlined, ready, c))
	}
}

// someAjo is one that runs, with cycles before it, pauses and half hands, and has cycles left.
func someAjo(r *rand.Rand) ajo.Ajo {
	seats := 2 + r.IntN(6)
	terms := ajo.Usual()
	terms.AmountKobo, terms.Seats, terms.DueDay, terms.GraceDays = 500, int32(seats), int32(1+r.IntN(31)), int32(r.IntN(9))
	terms.Frequency = nairav1.PaymentFrequency(1 + r.IntN(3))
	terms.Order, terms.RevealDays = nairav1.AjoOrder(1+r.IntN(5)), int32(1+r.IntN(3))
	terms.RequestedDays, terms.UnrequestedDays = int32(1+r.IntN(5)), int32(6+r.IntN(9))
	a := ajo.Ajo{Status: ajo.Active, Name: "Ajo", Owner: "u0", Terms: terms, FirstDue: "2026-01-31", StartedAt: time.Date(2026, 1, 20, 8, 0, 0, 0, time.UTC)}
	for i := range seats {
		places := []ajo.Place{{User: fmt.Sprint("u", i), Halves: 2, Nonce: []byte("n"), Terms: []byte("t")}}
		if r.IntN(3) == 0 {
			places[0].Halves = 1
			places = append(places, ajo.Place{User: fmt.Sprint("u", r.IntN(seats)+seats), Halves: 1})
		}
		a.Seats, a.Order = append(a.Seats, ajo.Seat{Places: places}), append(a.Order, i+1)
	}
	r.Shuffle(seats, func(i, j int) { a.Order[i], a.Order[j] = a.Order[j], a.Order[i] })
	over := r.IntN(seats)
	for k := 1; k <= over; k++ {
		if len(a.Cycles) == 0 && r.IntN(2) == 0 {
			a.Past = append(a.Past, ajo.Past{Cycle: k, Seat: a.Order[k-1], Paid: []int{1}})
		} else {
			a.Cycles = append(a.Cycles, ajo.Ready{Cycle: k, Seat: a.Order[k-1]})
		}
	}
	a.FirstCycle = len(a.Past) + 1
	for range r.IntN(3) {
		a.Pauses = append(a.Pauses, a.FirstCycle+r.IntN(seats))
	}
	return a
}
