package ajos

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/engine"
)

// Of whom a brief says who owes and who else is told, all are told of a due.
func TestEveryMemberReadsAnAjoAgainWhenADueIsPaid(t *testing.T) {
	t.Parallel()
	a := ajo.Ajo{
		Status: ajo.Active, Owner: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 500, Seats: 3}, Order: []int{1, 2, 3},
		Seats: []ajo.Seat{{Places: []ajo.Place{{User: "ada", Halves: 2}}}, {Places: []ajo.Place{{User: "obi", Halves: 1}, {User: "ife", Halves: 1}}}, {Places: []ajo.Place{{User: "ada", Halves: 2}}}},
	}
	for cycle := range len(a.Order) + 1 { // In the end it is over, and nobody owes.
		read, err := briefIn([]byte(briefOf(a).String()))
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
