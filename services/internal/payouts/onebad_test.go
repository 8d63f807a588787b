package payouts_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/vault"
)

// One bad item of a job's list does not stop the others. The job retries it after a pause and reports it.

func TestAPayoutThatCannotBeReadStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.PaysOut()
	var bad string
	for n := range 2 {
		made, _, err := w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
		require.NoError(t, err)
		if n == 0 {
			bad = made.Id
		}
	}
	schema, err := vault.Schema(ctx, w.Pool)
	require.NoError(t, err)
	payees := pgx.Identifier{schema, "payees"}.Sanitize()
	var sealed []byte
	require.NoError(t, w.Pool.QueryRow(ctx, "UPDATE "+payees+` p SET sealed = '\x00' FROM (SELECT withdrawal, sealed FROM `+payees+` WHERE withdrawal = $1) AS was
		WHERE p.withdrawal = was.withdrawal RETURNING was.sealed`, bad).Scan(&sealed))
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.Error(t, w.App.Payouts.SendPayouts(ctx))
	orders := func() (n int) {
		require.NoError(t, w.Pool.QueryRow(ctx, `SELECT count(*) FROM sandbox_payouts`).Scan(&n))
		return n
	}
	require.Equal(t, 1, orders(), "it came after the bad one")
	require.Equal(t, bad, w.Failing("send payouts")[0].Item)
	require.NoError(t, w.App.Payouts.SendPayouts(ctx), "it is not tried at once")
	_, err = w.Pool.Exec(ctx, "UPDATE "+payees+` SET sealed = $2 WHERE withdrawal = $1`, bad, sealed)
	require.NoError(t, err)
	at := time.Now().Add(31 * time.Second)
	w.App.Now = func() time.Time { return at }
	require.NoError(t, w.App.Payouts.SendPayouts(ctx))
	require.Equal(t, 2, orders())
	require.Empty(t, w.Failing("send payouts"))
}
