package ledgertest

import (
	"context"
	_ "embed"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

var (
	//go:embed testdata/before-providers.sql
	before string
	// BeforeCheckpoints is the file of checkpoints of BeforeProviders.
	//go:embed testdata/before-providers.checkpoints
	BeforeCheckpoints []byte
)

// BeforeProviders fills the empty tables of a ledger with what the last build left whose events named no provider:
// payments, payouts and requests for money of every kind, open ones included, by both providers. It answers the key
// that signed it.
func BeforeProviders(t testing.TB, pool *pgxpool.Pool) (key string) {
	t.Helper()
	ctx := context.Background()
	require.NoError(t, pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT ledger_extend(1, 1000); SET LOCAL session_replication_role = replica; TRUNCATE ledger_gate, ledger_settled;"+before)
		return err
	}))
	return strings.TrimPrefix(strings.Split(before, "\n")[2], "-- ")
}
