package pgchild_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
)

func TestAFileThatPostgresCannotReadIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, err := pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	server.Stop()
	for _, file := range []string{"global/pg_control", "global/pg_filenode.map", "base/*/pg_filenode.map", "postgresql.conf"} {
		found, err := filepath.Glob(filepath.Join(dir, "pg*", file))
		require.NoError(t, err)
		require.NotEmpty(t, found, file)
		for _, path := range found {
			require.NoError(t, os.Rename(path, path+".aside"))
		}
		began := time.Now()
		_, err = pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
		require.Error(t, err, file)
		require.Less(t, time.Since(began), 20*time.Second, "%s: a minute of silence", file)
		first, _, _ := strings.Cut(err.Error(), "\n")
		require.Contains(t, first, filepath.Base(file), "the cause is in the first line")
		for _, path := range found {
			require.NoError(t, os.Rename(path+".aside", path))
		}
	}
	server, err = pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	server.Stop()
}
