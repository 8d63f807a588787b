package draw

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAWordThatFavoursALowNumberIsPassedOver draws below 2^63+1, where nearly half of all words are one round too many.
func TestAWordThatFavoursALowNumberIsPassedOver(t *testing.T) {
	t.Parallel()
	const m = 1<<63 + 1
	seed := sha256.Sum256([]byte("words"))
	all, drawn := words{seed: seed}, words{seed: seed}
	passed := 0
	for range 200 {
		word := all.next()
		for word >= m { // m itself goes once into 2^64: what is above it is the rest.
			word = all.next()
			passed++
		}
		require.Equal(t, word, drawn.below(m))
	}
	require.Greater(t, passed, 100)
}
