package boot_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

func TestADataFolderIsOfOneRailForGood(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Data: t.TempDir(), Rail: config.RailSandbox, FastHashing: true}
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	i.Stop()
	written, err := os.ReadFile(filepath.Join(cfg.Data, "rail"))
	require.NoError(t, err)
	require.Equal(t, "sandbox\n", string(written))
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Data, "rail"), []byte("live\n"), 0o644))
	_, err = boot.Start(context.Background(), cfg, boot.All)
	require.ErrorContains(t, err, "ADASHI_RAIL is sandbox")
}
