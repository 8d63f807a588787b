package recent

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// reader is a worker of the property below: the events it took, in order.
type reader struct {
	pos  int64
	took []string // The writer of each event it took: the index is the position less one.
}

func TestEveryWorkerGetsEveryPositionOnceAndInOrderHoweverItIsBrought(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := bookOf(0)
		s, readers := New(b.source), make([]reader, 4)
		brought, restores, forgot := int64(0), 0, int64(0)
		step := func(r *reader, room int) (behind bool, n int) {
			events, behind, _ := s.After(r.pos, make([]Event, room))
			for _, e := range events {
				require.Equal(t, r.pos+1, e.Pos)
				require.Equal(t, b.torn[e.Pos], e.Unreadable())
				r.pos, r.took = e.Pos, append(r.took, e.Actor)
			}
			require.False(t, behind && len(events) > 0)
			return behind, len(events)
		}
		fetch := func(r *reader) {
			found, err := s.Fetch(context.Background(), r.pos)
			require.NoError(t, err)
			require.True(t, found || r.pos == b.end())
		}
		one := func() *reader { return &readers[rapid.IntRange(0, 3).Draw(t, "reader")] }
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				b.write("first"+strconv.Itoa(restores), rapid.IntRange(1, 400).Draw(t, "events"))
				if rapid.IntRange(0, 3).Draw(t, "tear") == 0 {
					b.torn[b.end()] = true
				}
			},
			"bring": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
					brought += int64(rapid.IntRange(1, 50).Draw(t, "lost"))
				}
				to := min(b.end(), brought+int64(rapid.IntRange(1, 400).Draw(t, "events")))
				b.bring(s, brought+1, to)
				brought = min(max(brought, to), b.end())
			},
			"after": func(t *rapid.T) {
				r := one()
				if behind, _ := step(r, rapid.IntRange(1, 1000).Draw(t, "room")); behind {
					fetch(r)
					_, n := step(r, 10)
					require.True(t, n > 0 || r.pos == b.end())
				}
			},
			"fetch": func(*rapid.T) { fetch(one()) },
			"restore": func(t *rapid.T) {
				to := rapid.Int64Range(b.end()/2, b.end()).Draw(t, "to")
				b.pages = b.pages[:to]
				for pos := range b.torn {
					if pos > to {
						delete(b.torn, pos)
					}
				}
				for i := range readers {
					r := &readers[i]
					r.pos = min(r.pos, to)
					r.took = r.took[:r.pos]
				}
				brought = min(brought, to)
				restores++
				s.Forget()
			},
			"": func(t *rapid.T) {
				if s.resets > forgot { // By a restore, or by an event that JetStream brought after it.
					forgot = s.resets
					clear(b.read)
				}
				for pos, times := range b.read {
					require.Equal(t, 1, times, "%d was read more than once", pos)
				}
			},
		})
		for i := range readers {
			for r := &readers[i]; r.pos < b.end(); {
				if _, n := step(r, 300); n == 0 {
					fetch(r)
				}
			}
			require.True(t, slices.Equal(b.pages, readers[i].took), "a reader took what is no more")
		}
	})
}
