package ajos

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMemoDecodesATextOfLateOnceAndKeepsABoundedNumber(t *testing.T) {
	t.Parallel()
	var m memo[int]
	decoded := 0
	decode := func(text []byte) (int, error) {
		decoded++
		return strconv.Atoi(string(text))
	}
	m.put("7", 7)
	for range 3 {
		for _, text := range []string{"7", "8"} {
			n, err := m.of([]byte(text), decode)
			require.NoError(t, err)
			require.Equal(t, int(text[0]-'0'), n)
		}
	}
	require.Equal(t, 1, decoded)
	for n := range 10 * memoMost {
		m.put(strconv.Itoa(n), n)
		require.LessOrEqual(t, len(m.young)+len(m.old), 2*memoMost)
	}
	for range 2 { // A failure is not remembered.
		_, err := m.of([]byte("x"), decode)
		require.Error(t, err)
	}
	require.Equal(t, 3, decoded)
	_, err := m.of([]byte("x"), func([]byte) (int, error) { return 0, errors.New("this text") })
	require.ErrorContains(t, err, "this text")
}
