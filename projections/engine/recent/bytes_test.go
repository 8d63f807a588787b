package recent

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLargeEventsAreHeldInAsManyBytesAsSmallOnes(t *testing.T) {
	t.Parallel()
	b := bookOf(0)
	const each, blocks = 50, 10
	b.write(strings.Repeat("x", 60_000), blocks*blockEvents)
	s, room := New(b.source), make([]Event, 100)
	for n := range int64(blocks) {
		b.bring(s, n*blockEvents+1, n*blockEvents+each)
	}
	held := 0
	for _, block := range s.blocks {
		held += block.bytes
	}
	require.Greater(t, held, bytesMax/2, "nothing is shown")
	require.Less(t, held, bytesMax+2*each*sizeOf(60_000+1000))
	events, _, _ := s.After((blocks-1)*blockEvents, room)
	require.Len(t, events, each, "the latest are there")
	for n := range int64(3) { // Read from Postgres, they are no lighter.
		b.body = make([]byte, 60_000)
		_, err := s.Fetch(t.Context(), n*blockEvents)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(s.blocks), 2)
}
