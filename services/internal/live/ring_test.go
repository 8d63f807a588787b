package live

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func news(t testing.TB, change Change) *heard {
	t.Helper()
	message, err := change.Message()
	require.NoError(t, err)
	h, err := hear(message, 0)
	require.NoError(t, err)
	require.Equal(t, change.Position, h.position)
	return h
}

// crowd are a thousand users whose wallets changed.
func crowd() map[string][]string {
	all := map[string][]string{}
	for n := range 1000 {
		all["user"+strconv.Itoa(n)] = []string{"wallet"}
	}
	return all
}

func TestTheRingIsBoundedByItsBytesAndKeepsTheNewest(t *testing.T) {
	t.Parallel()
	var r ring
	size := len(news(t, Change{Position: 1000, Users: crowd()}).raw)
	for pos := range int64(bytesMax/size + 100) {
		r.add(news(t, Change{Position: 1000 + pos, Users: crowd()}))
	}
	require.Len(t, r.heard, bytesMax/size)
	require.Equal(t, bytesMax/size*size, r.bytes)
	newest := int64(1000 + bytesMax/size + 99)
	require.Equal(t, newest, r.last())
	after, known := r.since(newest - 2)
	require.True(t, known)
	require.Len(t, after, 2)
	require.Equal(t, []int64{newest - 1, newest}, []int64{after[0].position, after[1].position})
	_, known = r.since(1000)
	require.False(t, known, "what has gone cannot be resumed from")
	small := news(t, Change{Position: newest + 1, Groups: []string{"g"}})
	for range 2 * ringMax {
		r.add(small)
	}
	require.Len(t, r.heard, ringMax)
	require.Equal(t, ringMax*len(small.raw), r.bytes)
	r.add(&heard{position: 7, raw: make([]byte, 2*bytesMax)})
	require.EqualValues(t, 7, r.last(), "the newest is kept, however long")
	require.Len(t, r.heard, 1)
}

func TestTheRingKnowsWhatCameFromATimeOn(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Duration { return time.Duration(second) * time.Second }
	r := newRing()
	after, known := r.after(at(0))
	require.Empty(t, after)
	require.True(t, known, "nothing has come yet")
	for second := range 5 {
		r.add(&heard{position: int64(second), at: at(second)})
	}
	after, known = r.after(at(3))
	require.True(t, known)
	require.Equal(t, []int64{3, 4}, []int64{after[0].position, after[1].position})
	for second := range ringMax - 2 {
		r.add(&heard{position: int64(5 + second), at: at(5 + second)})
	}
	_, known = r.after(at(2))
	require.False(t, known, "what came then has gone")
	_, known = r.after(at(3))
	require.True(t, known)
	r = ring{lost: at(10)} // As after a lost connection.
	_, known = r.after(at(10))
	require.False(t, known)
	_, known = r.after(at(11))
	require.True(t, known)
}

func TestWhoeverAChangeConcernsIsFoundInItUnread(t *testing.T) {
	t.Parallel()
	odd := []string{"ada", `a"d\a`, "<ada&co>", "àdá\u2028", "\x01"}
	for _, id := range odd {
		named := news(t, Change{Users: map[string][]string{id: {"wallet"}}})
		require.True(t, named.names(quoted("bisi", id)), id)
		require.NotEmpty(t, (&stream{userID: id}).concerns(named.change(), nil).topics, id)
		require.True(t, news(t, Change{Groups: []string{id}}).names(quoted("bisi", id)), id)
		require.False(t, named.names(quoted("bisi", "ad", "da")), id)
	}
}

// Counting allocations does not go with tests beside it.
func TestWhileNobodyLooksNothingIsRead(t *testing.T) { //nolint:paralleltest // See above.
	h := &Hub{users: map[string][]*stream{}, groups: map[string]map[*stream]struct{}{}}
	change := news(t, Change{Position: 5, Users: crowd()})
	require.Less(t, testing.AllocsPerRun(100, func() { h.tell(change) }), 3.0)
	require.EqualValues(t, 5, h.ring.last())
	s := &stream{userID: "user7", queue: make(chan event, queueMax), done: make(chan struct{})}
	require.NoError(t, h.open(s))
	h.tell(change)
	require.Equal(t, []string{"wallet"}, (<-s.queue).topics)
}
