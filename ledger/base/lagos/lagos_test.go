package lagos_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
)

func TestADayBeginsAnHourBeforeThatOfUTC(t *testing.T) {
	t.Parallel()
	last := time.Date(2026, time.December, 31, 22, 59, 59, 0, time.UTC)
	next := last.Add(time.Second)
	require.Equal(t, [2]string{"2026-12-31", "2027-01-01"}, [2]string{lagos.Day(last), lagos.Day(next)})
	require.Equal(t, [2]string{"2026-12", "2027-01"}, [2]string{lagos.Month(last), lagos.Month(next)})
	require.Equal(t, "1 January 2027, 00:00", lagos.Clock(next))
}

func TestTheZoneIsThatOfTheTimeZoneDatabase(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Africa/Lagos")
	require.NoError(t, err)
	for year := 1970; year < 2100; year++ {
		at := time.Date(year, time.July, 1, 23, 30, 0, 0, time.UTC)
		require.Equal(t, at.In(zone).Format(time.DateTime), at.In(lagos.Zone).Format(time.DateTime))
	}
}

func ExampleDay() {
	fmt.Println(lagos.Day(time.Date(2026, time.November, 30, 23, 30, 0, 0, time.UTC)))
	// Output: 2026-12-01
}
