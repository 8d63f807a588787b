package durable_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/durable"
)

// A test in services/e2e cuts the power, on a disk of its own.
func TestAFileIsTheOldOrTheNew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, durable.MakeFolder(dir, 0o700))
	require.NoError(t, durable.MakeFolder(dir, 0o700), "it is there already")
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path+".new", []byte("what an earlier try left, longer than what comes"), 0o644))
	for _, content := range []string{"one", "two"} {
		require.NoError(t, durable.WriteFile(path, []byte(content), 0o600))
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, content, string(raw))
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())

	require.Error(t, durable.WriteFile(dir, []byte("a folder is no file"), 0o600))
	_, err = os.Stat(dir + ".new")
	require.ErrorIs(t, err, fs.ErrNotExist, "nothing is left of a failed try")
}

func TestTouchingKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, durable.Touch(path, 0o644))
	require.NoError(t, os.WriteFile(path, []byte("kept"), 0o644))
	require.NoError(t, durable.Touch(path, 0o644))
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "kept", string(raw))
}
