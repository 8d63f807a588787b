package pgchild_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
)

func TestServerKeepsItsDataBetweenStarts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	for start := range 2 {
		server, err := pgchild.Start(ctx, pgchild.Options{Dir: dir})
		require.NoError(t, err)
		_, err = pgchild.Start(ctx, pgchild.Options{Dir: dir})
		require.ErrorIs(t, err, pgchild.ErrInUse)
		url, err := pgchild.Running(dir, "postgres")
		require.NoError(t, err)
		require.Equal(t, server.URL("postgres"), url)
		conn, err := pgx.Connect(ctx, server.URL("postgres"))
		require.NoError(t, err)
		if start == 0 {
			_, err = conn.Exec(ctx, "CREATE TABLE kept AS SELECT 7 AS n")
			require.NoError(t, err)
		}
		var n int
		require.NoError(t, conn.QueryRow(ctx, "SELECT n FROM kept").Scan(&n))
		require.Equal(t, 7, n)
		require.NoError(t, conn.Close(ctx))
		server.Stop()
		_, err = pgchild.Running(dir, "postgres")
		require.Error(t, err)
	}
}

// A power cut leaves postmaster.pid, as it was or without its data, and the id in it is soon another process's.
func TestAServerStartsWhateverTheLastOneLeft(t *testing.T) {
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("only Linux tells which processes work in a folder")
	}
	ctx := context.Background()
	dir := t.TempDir()
	temporary, err := os.MkdirTemp("", "pg") // A short name, for the socket below it.
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(temporary) })
	require.NoError(t, os.Chmod(temporary, 0o755))
	t.Setenv("TMPDIR", temporary)
	server, err := pgchild.Start(ctx, pgchild.Options{Dir: dir})
	require.NoError(t, err)
	found, err := filepath.Glob(filepath.Join(dir, "pg*", "postmaster.pid"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	left, err := os.ReadFile(found[0])
	require.NoError(t, err)
	server.Stop()

	stranger := asPostgres(t, "sleep", "600")
	lines := strings.Split(string(left), "\n")
	lines[0] = strconv.Itoa(stranger)
	for name, content := range map[string]string{
		"another's process": strings.Join(lines, "\n"), "empty": "", "zeros": strings.Repeat("\x00", 90), "half": lines[0] + "\n" + lines[1],
	} {
		require.NoError(t, os.WriteFile(found[0], []byte(content), 0o600))
		socket := filepath.Join(temporary, "adashi-pg-left")
		require.NoError(t, os.MkdirAll(socket, 0o700))
		info, err := os.Stat(dir)
		require.NoError(t, err)
		of := info.Sys().(*syscall.Stat_t)
		require.NoError(t, os.WriteFile(filepath.Join(socket, "owner"), fmt.Appendf(nil, "%d:%d", of.Dev, of.Ino), 0o600))
		_ = os.Remove(filepath.Join(dir, "socket"))
		require.NoError(t, os.Symlink(socket, filepath.Join(dir, "socket")))
		server, err := pgchild.Start(ctx, pgchild.Options{Dir: dir})
		require.NoError(t, err, name)
		server.Stop()
	}
	require.NoError(t, syscall.Kill(stranger, 0), "it was nobody's to end")
	folders, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, folders, "of those before, and of this one")
}

// The link in a copy of a data folder leads to the socket of the first.
func TestACopyOfARunningFolderThatStartsBesideItLeavesTheFirstReachable(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), filepath.Join(t.TempDir(), "first")
	first, err := pgchild.Start(ctx, pgchild.Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(first.Stop)
	beside := filepath.Join(t.TempDir(), "copy")
	copied, err := exec.Command("cp", "-a", dir, beside).CombinedOutput()
	require.NoError(t, err, "%s", copied)
	second, err := pgchild.Start(ctx, pgchild.Options{Dir: beside})
	require.NoError(t, err)
	second.Stop()
	conn, err := pgx.Connect(ctx, first.URL("postgres"))
	require.NoError(t, err, "the first one's socket is still there")
	require.NoError(t, conn.Close(ctx))
}

// asPostgres starts a program as the user whom Postgres runs as, and answers its id.
func asPostgres(t *testing.T, program string, args ...string) int {
	t.Helper()
	cmd := exec.Command(program, args...)
	if os.Geteuid() == 0 {
		who, err := user.Lookup("postgres")
		if err != nil {
			who, err = user.Lookup("nobody")
		}
		require.NoError(t, err)
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

func TestAServerThatStillRunsIsWaitedFor(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("only Linux tells which processes work in a folder")
	}
	dir := t.TempDir()
	server, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, "lock")), "as if its parent were gone")
	next := make(chan error, 1)
	go func() {
		server, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
		if err == nil {
			server.Stop()
		}
		next <- err
	}()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "lock"))
		return err == nil
	}, 10*time.Second, time.Millisecond, "the next one is at it")
	conn, err := pgx.Connect(context.Background(), server.URL("postgres"))
	require.NoError(t, err, "it was left alone")
	require.NoError(t, conn.Close(context.Background()))
	server.Stop()
	require.NoError(t, <-next)
}

func TestAFolderWhoseFirstStartWasCutShortIsMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, half := range []string{"pg15.making", "pg14.making"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, half), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, half, "PG_VERSION"), []byte("15\n"), 0o600))
	}
	require.False(t, pgchild.HasCluster(dir))
	server, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	server.Stop()
	require.True(t, pgchild.HasCluster(dir))
}

// A standby that takes no connections answers like a recovering server, until it is promoted.
func TestAServerThatRecoversIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	server.Stop()
	found, err := filepath.Glob(filepath.Join(dir, "pg*", "PG_VERSION"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	cluster := filepath.Dir(found[0])
	require.NoError(t, os.WriteFile(filepath.Join(cluster, "standby.signal"), nil, 0o600))
	require.NoError(t, os.Chown(filepath.Join(cluster, "standby.signal"), owner(t, cluster), -1))

	const silent = time.Second
	var waited time.Duration
	server, err = pgchild.Start(context.Background(), pgchild.Options{
		Dir: dir, Silent: silent, Settings: map[string]string{"hot_standby": "off"},
		Recovering: func(so time.Duration) {
			waited = so
			promote(t, cluster)
		},
	})
	require.NoError(t, err)
	server.Stop()
	require.Greater(t, waited, silent)
}

func owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	stat, ok := info.Sys().(*syscall.Stat_t)
	require.True(t, ok)
	return int(stat.Uid)
}

// promote promotes a standby, as pg_ctl promote does.
func promote(t *testing.T, cluster string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(cluster, "promote"), nil, 0o600))
	require.NoError(t, os.Chown(filepath.Join(cluster, "promote"), owner(t, cluster), -1))
	pid, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	require.NoError(t, err)
	id, err := strconv.Atoi(strings.SplitN(string(pid), "\n", 2)[0])
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(id, syscall.SIGUSR1))
}
