package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

// "A waiver takes two approvers": one alone lets no due off by making the member inactive over its last midnight.
func TestOneApproverAloneLetsNoDueOff(t *testing.T) {
	t.Parallel()
	midnight := savings.Midnight(on(time.December, 1))
	w := Given(t, roomy, opens(fixed, monthly), midnight.Add(-time.Minute), deactivates("femi", "bisi"), midnight.Add(time.Minute), approves("femi", "bisi"))
	require.Equal(t, due, duesOf(w, "bisi").Owed(0), "November")
}

// What is owed for November and after by who was away from one moment to another. A period that they were away for
// wholly is not owed.
func TestAnAbsenceLetsOffThePeriodsThatItHoldsWholly(t *testing.T) {
	t.Parallel()
	december, january := savings.Midnight(on(time.December, 1)), savings.Midnight(on(time.January, 1))
	month := func(from, to time.Time) (owed []money.Kobo) {
		w := Given(t, roomy, opens(fixed, monthly), from, deactivates("femi", "bisi"), to, approves("femi", "bisi"))
		for k := range 3 {
			owed = append(owed, duesOf(w, "bisi").Owed(k))
		}
		return owed
	}
	require.Equal(t, []money.Kobo{due, 0, due}, month(december, january))
	require.Equal(t, []money.Kobo{due, due, due}, month(december.Add(time.Microsecond), january))
	require.Equal(t, []money.Kobo{due, due, due}, month(december, january.Add(-time.Microsecond)))
	require.Equal(t, []money.Kobo{due, 0, 0}, month(on(time.November, 20), on(time.February, 1)), "November begun before they were away")

	day := func(from, to time.Time) money.Kobo {
		w := Given(t, roomy, opens(fixed, daily), from, deactivates("femi", "bisi"), to, approves("femi", "bisi"))
		return duesOf(w, "bisi").Open(savings.Day(december))
	}
	days := day(december.Add(-time.Microsecond), december.Add(time.Microsecond))
	require.Equal(t, 17*due, days, "15 November to 1 December: two clicks on both sides of midnight let off no day")
	require.Equal(t, days-due, day(savings.Midnight(on(time.November, 20)), savings.Midnight(on(time.November, 21))))

	levy := func(from time.Time) money.Kobo {
		w := Given(t, roomy, opens(oneOff, oneTime), from, deactivates("femi", "bisi"))
		return duesOf(w, "bisi").Owed(0)
	}
	require.Equal(t, due, levy(on(time.November, 16)), "the levy of November was there before they were away")
}
