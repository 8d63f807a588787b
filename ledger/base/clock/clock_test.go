package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/clock"
)

func TestTheClockTicksInMicroseconds(t *testing.T) {
	t.Parallel()
	for range 1000 {
		require.Zero(t, clock.System().Nanosecond()%1000)
	}
	require.WithinDuration(t, time.Now(), clock.System(), time.Second)
}

func TestIdsMadeLaterSortLater(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 1, 4, 7, 0, 0, 0, time.UTC)
	before, after := clock.ID(at), clock.ID(at.Add(time.Millisecond))
	require.Less(t, before.String(), after.String())
	require.NotEqual(t, before, clock.ID(at))
	require.EqualValues(t, 7, before.Version())
	seconds, nanoseconds := before.Time().UnixTime()
	require.Equal(t, at, time.Unix(seconds, nanoseconds).UTC())
}
