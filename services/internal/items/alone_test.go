package items_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/items"
)

func TestACallerThatGivesUpTakesNobodysNameAway(t *testing.T) {
	t.Parallel()
	here := ledgertest.Pool(t)
	elsewhere, err := pgxpool.NewWithConfig(t.Context(), here.Config()) // Another process.
	require.NoError(t, err)
	t.Cleanup(elsewhere.Close)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	none := func() error { return nil }
	kept, err := items.Alone(t.Context(), here, "a payout", func() error {
		for range 20 {
			_, err := items.Alone(gone, here, "another", none)
			require.ErrorIs(t, err, context.Canceled)
		}
		ran, err := items.Alone(t.Context(), here, "another", none)
		require.NoError(t, err)
		require.True(t, ran, "names stand beside each other")
		ran, err = items.Alone(t.Context(), elsewhere, "a payout", none)
		require.NoError(t, err)
		require.False(t, ran, "it is kept")
		ran, err = items.Alone(t.Context(), here, "a payout", none)
		require.NoError(t, err)
		require.False(t, ran, "in this process too")
		return nil
	})
	require.NoError(t, err)
	require.True(t, kept)
	ran, err := items.Alone(t.Context(), elsewhere, "a payout", none)
	require.NoError(t, err)
	require.True(t, ran)
}
