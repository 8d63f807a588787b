package boot_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

func TestAVisitFindsTheLedgerWhetherOrNotItRuns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	cfg := config.Config{Data: t.TempDir()}
	_, err := boot.OpenVisit(ctx, cfg)
	require.ErrorContains(t, err, "there is no ledger in "+cfg.Data)

	_, err = cfg.Secrets()
	require.NoError(t, err)
	server, err := pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(cfg.Data, "postgres"), Settings: map[string]string{"fsync": "off"}})
	require.NoError(t, err)
	_, err = boot.OpenVisit(ctx, cfg)
	require.ErrorContains(t, err, "holds no ledger")
	pool, err := pgxpool.New(ctx, server.URL("postgres"))
	require.NoError(t, err)
	require.NoError(t, store.Migrate(ctx, pool))
	require.NoError(t, proofs.Migrate(ctx, pool))
	pool.Close()

	beside, err := boot.OpenVisit(ctx, cfg)
	require.NoError(t, err)
	beside.OpenStream(ctx)
	require.Nil(t, beside.JS)
	require.Contains(t, beside.NoStream, "takes no visitors")
	looked(t, beside)
	server.Stop()

	alone, err := boot.OpenVisit(ctx, cfg)
	require.NoError(t, err)
	alone.OpenStream(ctx)
	require.Contains(t, alone.NoStream, "there is no stream in")
	looked(t, alone)

	// What stands where NATS keeps its streams is not a folder: it says so at once.
	require.NoError(t, os.MkdirAll(filepath.Join(cfg.Data, "nats"), 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "nats", "jetstream"), nil, 0o600))
	spoilt, err := boot.OpenVisit(ctx, cfg)
	require.NoError(t, err)
	spoilt.OpenStream(ctx)
	require.Contains(t, spoilt.NoStream, "see that its folder "+filepath.Join(cfg.Data, "nats"))
	looked(t, spoilt)
	require.NoError(t, os.RemoveAll(filepath.Join(cfg.Data, "nats")))
	fresh, err := boot.OpenVisit(ctx, cfg)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(cfg.Data, "nats"), 0o750))
	fresh.OpenStream(ctx)
	require.NotNil(t, fresh.JS, fresh.NoStream)
	looked(t, fresh)
	again, err := pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(cfg.Data, "postgres")})
	require.NoError(t, err, "a visit stops what it started")
	again.Stop()
}

// looked reads something and ends the visit.
func looked(t *testing.T, v *boot.Visit) {
	t.Helper()
	_, head, err := history.Head(context.Background(), v.Pool)
	require.NoError(t, err)
	require.Zero(t, head)
	require.True(t, v.Keys.Current.CanSign(), "the folder's own key")
	v.Close()
}
