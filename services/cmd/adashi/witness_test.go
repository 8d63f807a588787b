package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/proofs"
)

func TestAWitnessMakesItsKeyOnceAndNeverAnother(t *testing.T) {
	t.Parallel()
	private, public, err := proofs.GenerateKey("adashi.ng/ledger")
	require.NoError(t, err)
	c := witnessCommand{Log: []string{public}, Name: "witness.example", Folder: filepath.Join(t.TempDir(), "w")}
	server, key, err := c.open()
	require.NoError(t, err)
	require.NoError(t, server.Close())
	server, again, err := c.open()
	require.NoError(t, err)
	require.NoError(t, server.Close())
	require.Equal(t, key.String(), again.String())

	require.NoError(t, os.WriteFile(filepath.Join(c.Folder, "seen.json"), []byte("{}"), 0o600))
	require.NoError(t, os.Rename(filepath.Join(c.Folder, "key"), filepath.Join(c.Folder, "elsewhere")))
	_, _, err = c.open()
	require.ErrorContains(t, err, "is gone")
	for _, wrong := range []string{private, "x"} {
		c.Log = []string{wrong}
		_, _, err := c.open()
		require.ErrorContains(t, err, "--log")
		require.NotContains(t, err.Error(), "PRIVATE")
	}
}
