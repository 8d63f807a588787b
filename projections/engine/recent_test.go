package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
)

func at(pos int64) Event { return Event{Record: event.Record{Pos: pos}} }

func positionsOf(events []Event) (all []int64) {
	for _, e := range events {
		all = append(all, e.Pos)
	}
	return all
}

func TestTheLatestEventsAreKeptForWorkersAtTheirOwnPace(t *testing.T) {
	t.Parallel()
	r, room := newRecent(), make([]Event, 3)
	_, behind, moved := r.after(0, room)
	require.False(t, behind)
	select {
	case <-moved:
		t.Fatal("nothing came yet")
	default:
	}
	for pos := range int64(5) {
		r.put(at(7 + pos))
	}
	<-moved // Whoever waited hears of it.
	_, behind, _ = r.after(5, room)
	require.True(t, behind, "6 is only in Postgres")
	events, behind, moved := r.after(6, room)
	require.False(t, behind)
	require.Equal(t, []int64{7, 8, 9}, positionsOf(events), "as many as there is room for")
	<-moved
	events, _, _ = r.after(9, room)
	require.Equal(t, []int64{10, 11}, positionsOf(events))
	events, behind, _ = r.after(11, room)
	require.Empty(t, events)
	require.False(t, behind)

	r.put(at(20)) // A gap: what came before it cannot be followed from here.
	_, behind, _ = r.after(11, room)
	require.True(t, behind)
	for pos := int64(21); pos < 21+recentMax; pos++ {
		r.put(at(pos))
	}
	_, behind, _ = r.after(19, room)
	require.True(t, behind, "the oldest made room")
	events, behind, _ = r.after(20, room)
	require.False(t, behind)
	require.Equal(t, []int64{21, 22, 23}, positionsOf(events))

	r.put(at(3)) // Another epoch.
	events, _, _ = r.after(2, room)
	require.Equal(t, []int64{3}, positionsOf(events))
}
