package store

import (
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
)

func TestRememberedCommandsTakeABoundedNumberOfBytes(t *testing.T) {
	t.Parallel()
	m := newMemory(10, 1000)
	held := func() (bytes int) {
		for _, keys := range []map[uuid.UUID]known{m.keys, m.older} {
			for _, k := range keys {
				bytes += cap(k.records)
			}
		}
		return bytes
	}
	const large = keyBytes / 16
	var last uuid.UUID
	for range 200 {
		before := last
		last = uuid.New()
		m.remember(last, known{})
		m.remember(last, known{records: make([]byte, 0, large)}) // As when its next records are read.
		m.turn()
		_, knows := m.key(before)
		require.True(t, knows || before == uuid.Nil, "what may be on its way is forgotten")
		require.LessOrEqual(t, held(), 2*(keyBytes+large))
	}
	require.Greater(t, held(), keyBytes/2)
	for range 1000 {
		last = uuid.New()
		m.remember(last, known{})
		m.turn()
	}
	require.GreaterOrEqual(t, len(m.keys)+len(m.older), 1000, "small ones are kept by number")
}

// weighty is a state that takes the room of ten.
type weighty struct{}

func (weighty) Weight() int { return 10 }

func TestStreamsAreForgottenByTheRoomThatTheirStatesTake(t *testing.T) {
	t.Parallel()
	kept := func(state any) (n int) {
		m := newMemory(1000, 1000)
		for i := range 5000 {
			name := strconv.Itoa(i)
			m.streams.Put(name, stream{state: state})
			m.streams.Put(name, stream{state: state, version: 1}) // It replaces the old one.
			m.turn()
			_, ok := m.streams.Get(name)
			require.True(t, ok, "what the batch in hand needs is there")
		}
		for i := range 5000 {
			if _, ok := m.streams.Get(strconv.Itoa(i)); ok {
				n++
			}
		}
		return n
	}
	require.InDelta(t, 750, kept(struct{}{}), 252)
	require.InDelta(t, 37, kept(weighty{}), 14, "a heavy state counts twice")
}

func TestACommandsRecordsAreKeptWithoutSpareRoom(t *testing.T) {
	t.Parallel()
	records := []event.Record{{Pos: 1, Stream: "a", Body: make([]byte, 100)}, {Pos: 2, Actor: "ada", Body: make([]byte, 1000)}}
	k := known{records: roomFor(records)}
	for i := range records {
		k.keep(&records[i])
	}
	require.Equal(t, len(k.records), cap(k.records))
	found, err := k.all()
	require.NoError(t, err)
	require.Equal(t, "ada", found[1].Actor)
}
