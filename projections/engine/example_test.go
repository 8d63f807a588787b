package engine_test

import (
	"fmt"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// A fold is a table from event type to handler. The model ignores every type that has no handler.
func ExampleHandlers() {
	saved := map[string]int64{}
	table := engine.Handlers(
		engine.On(func(saved map[string]int64, _ engine.Event, m *nairav1.ContributionReceived) {
			saved[m.GetUserId()] += m.GetAmountKobo()
		}),
		engine.On(func(saved map[string]int64, _ engine.Event, m *nairav1.ContributionReversed) {
			saved[m.GetUserId()] -= m.GetAmountKobo()
		}),
	)
	for _, e := range []engine.Event{
		{Message: &nairav1.ContributionReceived{UserId: "bisi", AmountKobo: 5_000_00}},
		{Message: &nairav1.GroupClosed{}},
		{Message: &nairav1.ContributionReceived{UserId: "bisi", AmountKobo: 2_000_00}},
		{Message: &nairav1.ContributionReversed{UserId: "bisi", AmountKobo: 5_000_00}},
	} {
		table.Take(saved, e)
	}
	fmt.Println(saved)
	// Output: map[bisi:200000]
}
