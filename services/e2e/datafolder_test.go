package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
)

func TestACopyOfARunningDataFolderIsRefusedAndTheFirstGoesOn(t *testing.T) {
	t.Parallel()
	ctx, data, beside := context.Background(), t.TempDir(), filepath.Join(t.TempDir(), "copy")
	first, err := boot.Start(ctx, settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(first.Stop)
	bisi := somebody(t, first, "Bisi").funded(5000)
	out, err := exec.Command("cp", "-a", data, beside).CombinedOutput()
	require.NoError(t, err, "%s", out)
	_, err = boot.Start(ctx, plain(beside), boot.All)
	require.ErrorContains(t, err, "two data folders have one id: "+beside+" is a copy of "+data+", which runs")
	pays := func() {
		must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
	}
	pays()

	// As an instance of its own it starts, and still leaves the first alone.
	require.NoError(t, os.Remove(filepath.Join(beside, "instance.json")))
	second, err := boot.Start(ctx, plain(beside), boot.All)
	require.NoError(t, err)
	second.Stop()
	pays()
	require.Equal(t, "5000.00", bisi.balance())
	addRow(broken{"a copy of the folder, beside it", 2, 0, 0, "two data folders have one id"})
	ids := map[string]bool{}
	for _, folder := range []string{data, beside} {
		raw, err := os.ReadFile(filepath.Join(folder, "instance.json"))
		require.NoError(t, err)
		require.Contains(t, string(raw), folder)
		ids[string(raw)] = true
	}
	require.Len(t, ids, 2)
}

func TestADataFolderThatRunsIsInUseByWhateverNameItIsReached(t *testing.T) {
	t.Parallel()
	data, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(data, link))
	first, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(first.Stop)
	_, err = boot.Start(context.Background(), plain(link), boot.All)
	require.ErrorContains(t, err, "in use by another adashi process")
}

func TestHalfADataFolderIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	i.Stop()
	require.NoError(t, os.RemoveAll(filepath.Join(data, "postgres")))
	_, err = boot.Start(context.Background(), settings(data), boot.All)
	require.ErrorContains(t, err, "only half a data folder")

	require.NoError(t, os.WriteFile(filepath.Join(data, "instance.json"), []byte("{"), 0o600))
	_, err = boot.Start(context.Background(), settings(data), boot.All)
	require.ErrorContains(t, err, "does not say which instance this folder is")
}
