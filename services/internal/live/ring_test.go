package live

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheRingIsBoundedByWhomItNamesAndKeepsTheNewest(t *testing.T) {
	t.Parallel()
	crowd := map[string][]string{}
	for n := range 1000 {
		crowd["user"+strconv.Itoa(n)] = []string{"wallet"}
	}
	var r ring
	for pos := range int64(300) {
		r.add(Change{Position: pos, Users: crowd})
	}
	require.Len(t, r.changes, namedMax/1000)
	require.EqualValues(t, 299, r.last())
	after, known := r.since(297)
	require.True(t, known)
	require.Len(t, after, 2)
	_, known = r.since(200)
	require.False(t, known, "what has gone cannot be resumed from")
	for pos := int64(300); pos < 300+2*ringMax; pos++ {
		r.add(Change{Position: pos, Groups: []string{"g"}})
	}
	require.Len(t, r.changes, ringMax)
	require.Equal(t, ringMax, r.named)
}
