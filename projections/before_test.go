package projections_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// The read models accept events of a build that named no provider, and know the provider.
func TestTheReadModelsKnowTheProviderOfWhatWasRecordedBeforeEventsNamedIt(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	ledgertest.BeforeProviders(t, pool)
	models := engineOn(pool, pool, nil)
	require.NoError(t, models.Prepare(ctx))
	require.NoError(t, models.CatchUp(ctx))
	for table, want := range map[string][]string{
		"rm_bank_lines WHERE undone IS NULL": {"paystack 7", "vfd 9"},
		"rm_payouts":                         {"paystack 2", "vfd 4"},
		"rm_requests":                        {"paystack 1", "vfd 4"},
		"rm_unmatched WHERE status IN ('OPEN', 'PROPOSED', 'HELD')": {"paystack 2", "vfd 4"},
	} {
		rows, err := pool.Query(ctx, "SELECT provider || ' ' || count(*) FROM "+table+" GROUP BY provider ORDER BY provider")
		require.NoError(t, err)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Equal(t, want, found, table)
	}
}
