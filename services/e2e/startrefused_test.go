package e2e

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

func TestAStartWithAnotherIdentityKeyIsRefused(t *testing.T) {
	t.Parallel()
	ctx, data := context.Background(), t.TempDir()
	i, err := boot.Start(ctx, settings(data), boot.All)
	require.NoError(t, err)
	bisi := somebody(t, i, "Bisi").stepsUp()
	must[object](bisi, "POST", "/api/v1/account/totp", nil)
	i.Stop()
	other := settings(data)
	other.IdentityKey = config.Secret(strings.Repeat("another identity key ", 2))
	const says = "ADASHI_IDENTITY_KEY is not the key that second factors were sealed with"
	_, err = boot.Start(ctx, other, boot.All)
	require.ErrorContains(t, err, says)

	// Also at the first start of a build that keeps a mark of the key: a second factor tells.
	i, err = boot.Start(ctx, settings(data), boot.All)
	require.NoError(t, err)
	_, err = i.Pool.Exec(ctx, "DELETE FROM identity_key")
	require.NoError(t, err)
	i.Stop()
	_, err = boot.Start(ctx, other, boot.All)
	require.ErrorContains(t, err, says)
	i, err = boot.Start(ctx, settings(data), boot.All)
	require.NoError(t, err)
	i.Stop()
}

func TestAProcessThatMayOpenFewFilesIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	binary, err := built()
	require.NoError(t, err)
	up := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -n 300; exec "+binary+" up")
	up.Env = append(up.Environ(), "ADASHI_DATA="+filepath.Join(t.TempDir(), "data"), "ADASHI_PORT=0", "DATABASE_URL=", "NATS_URL=")
	out, err := up.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "adashi: this process may open 300 files and needs 512: raise the limit")
}
