package checks

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReadyIsWhatIsNeededAndTheRestIsTold is in a bubble: how long ago something was looked at is the machine's time.
func TestReadyIsWhatIsNeededAndTheRestIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, readyIsWhatIsNeeded)
}

func readyIsWhatIsNeeded(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	b := New(func() time.Time { return now })
	needed, other, looks := true, false, 0
	b.Add(Check{Name: "payments", Needed: true, Look: func(context.Context) Verdict { looks++; return Verdict{OK: needed, Says: "the disk is full"} }})
	b.Add(Check{Name: "messageBus", Look: func(context.Context) Verdict { return Verdict{OK: other, Says: "it is away"} }})
	s := b.Standing()
	require.True(t, s.Ready, "the bus is not needed")
	require.Empty(t, s.Why())
	require.Equal(t, []Result{
		{Name: "payments", OK: true, Needed: true, Since: now, Says: "the disk is full"}, {Name: "messageBus", Since: now, Says: "it is away"},
	}, s.Checks)

	needed = false
	require.True(t, b.Standing().Ready, "it was looked at just now")
	require.Equal(t, 1, looks)
	began := now
	now = now.Add(time.Hour)
	require.True(t, b.Standing().Ready, "that is no time for the machine")
	now = began.Add(fresh)
	time.Sleep(fresh)
	s = b.Standing()
	require.False(t, s.Ready)
	require.Equal(t, "the disk is full", s.Why())
	require.Equal(t, now, s.Checks[0].Since, "since it changed")
	require.Equal(t, began, s.Checks[1].Since, "since it was so")
}
