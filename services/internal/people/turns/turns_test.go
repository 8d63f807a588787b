package turns

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestAKnownOneWaitsForNoStrangerButThoseWhoseTurnItIs however many came first, and strangers go on afterwards.
func TestAKnownOneWaitsForNoStrangerButThoseWhoseTurnItIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := New(1)
		done, err := turns.Take(t.Context(), Strangers)
		require.NoError(t, err)
		var order []Line
		comes := func(line Line) {
			go func() {
				done, err := turns.Take(t.Context(), line)
				require.NoError(t, err)
				order = append(order, line)
				done()
			}()
			synctest.Wait()
		}
		comes(Strangers)
		comes(Strangers)
		comes(Known)
		require.Empty(t, order, "one at a time")
		done()
		synctest.Wait()
		require.Equal(t, []Line{Known, Strangers, Strangers}, order)
	})
}

func TestWhoIsNoLongerWaitedForTakesNoTurn(t *testing.T) {
	t.Parallel()
	turns := New(1)
	done, err := turns.Take(t.Context(), Known)
	require.NoError(t, err)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []Line{Known, Strangers} {
		_, err = turns.Take(gone, line)
		require.ErrorIs(t, err, context.Canceled)
	}
	done()
	done, err = turns.Take(t.Context(), Strangers)
	require.NoError(t, err)
	done()
}
