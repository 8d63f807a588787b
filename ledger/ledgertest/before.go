package ledgertest

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

var (
	//go:embed testdata/before-providers.sql
	before string
	//go:embed testdata/before-providers-proofs.sql
	beforeProofs string
	// BeforeCheckpoints is the file of checkpoints of BeforeProviders.
	//go:embed testdata/before-providers.checkpoints
	BeforeCheckpoints []byte
)

// BeforeProviders fills the empty tables of a ledger with what the last build left whose events named no provider:
// payments, payouts and requests for money of every kind, open ones included, by both providers.
func BeforeProviders(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	left(t, pool, "SELECT ledger_extend(1, 1000)", "TRUNCATE ledger_gate, ledger_settled; "+before)
}

// BeforeProofs fills the empty tables of its proofs, and answers the key that signed them.
func BeforeProofs(t testing.TB, pool *pgxpool.Pool) (key string) {
	t.Helper()
	left(t, pool, "SELECT 1", beforeProofs)
	return strings.TrimPrefix(strings.Split(beforeProofs, "\n")[1], "-- ")
}

// left prepares tables, and then writes into them what no trigger is to judge again. A store that is open reads them
// meanwhile, so that either may have to begin again.
func left(t testing.TB, pool *pgxpool.Pool, prepare, write string) {
	t.Helper()
	ctx := context.Background()
	for {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, prepare+"; SET LOCAL session_replication_role = replica; "+write)
			return err
		})
		if told := (*pgconn.PgError)(nil); errors.As(err, &told) && told.Code == "40P01" { // A deadlock.
			continue
		}
		require.NoError(t, err)
		return
	}
}
