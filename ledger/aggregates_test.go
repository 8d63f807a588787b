package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// Every state that any event leads to comes back from its snapshot as it was.
func TestEveryStateComesBackWholeFromItsSnapshot(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 8, 0, 0, 123456000, time.UTC)
	for _, a := range ledger.Aggregates() {
		t.Run(a.Category, func(t *testing.T) {
			t.Parallel()
			changed := false
			state := a.Zero
			for _, mt := range ledgertest.EventTypes() {
				m := ledgertest.Filled(mt).Interface()
				if opened, ok := m.(*nairav1.SubAccountOpened); ok {
					opened.FirstDue = "2026-11-01"
				}
				state = a.Evolve(state, event.Happened{Message: m, EffectiveAt: at, RecordedAt: at})
				frozen, err := a.Freeze(state)
				require.NoError(t, err)
				thawed, err := a.Thaw(frozen)
				require.NoError(t, err)
				require.EqualExportedValues(t, state, thawed)
				changed = changed || string(frozen) != string(must(a.Freeze(a.Zero)))
			}
			require.True(t, changed, "no event changes it")
		})
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
