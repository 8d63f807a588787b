package pgchild_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// startsIn makes the test's program only start a server in this folder, until it is killed.
const startsIn = "PGCHILD_STARTS_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(startsIn); dir != "" {
		_, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	}
	os.Exit(m.Run())
}

// The initdb of a killed process runs on for a moment. The next start must not make a cluster beside it.
func TestAProcessThatIsKilledWithinItsFirstStartLeavesNobodyWhoSpoilsTheNext(t *testing.T) {
	for after := 150 * time.Millisecond; after < 1500*time.Millisecond; after += 200 * time.Millisecond {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first := exec.Command(os.Args[0])
			first.Env = append(os.Environ(), startsIn+"="+dir)
			require.NoError(t, first.Start())
			time.AfterFunc(after, func() { _ = first.Process.Kill() })
			require.Error(t, first.Wait())
			server, err := pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
			require.NoError(t, err)
			server.Stop()
		})
	}
}

func TestAServerThatEndsByItselfIsStartedAgainAtTheSameAddress(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir, server, told, kept := keeping(t)
	url := server.URL("postgres")
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	_, err = conn.Exec(ctx, "CREATE TABLE kept AS SELECT 7 AS n")
	require.NoError(t, err)
	for round, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGKILL} {
		require.NoError(t, syscall.Kill(postmaster(t, dir), signal))
		require.NoError(t, conn.Close(ctx))
		require.ErrorContains(t, <-told, "ended by itself")
		require.NoError(t, <-told, round)
		conn, err = pgx.Connect(ctx, url)
		require.NoError(t, err)
		var n int
		require.NoError(t, conn.QueryRow(ctx, "SELECT n FROM kept").Scan(&n))
		require.Equal(t, 7, n)
	}
	require.NoError(t, conn.Close(ctx))
	server.Stop()
	<-kept
	require.Empty(t, told, "it was told to end")
}

// keeping is a server that Keep starts again when it ends: its folder, the errors that Keep reports, and the end of
// Keep.
func keeping(t *testing.T) (dir string, server *pgchild.Server, told chan error, kept chan struct{}) {
	t.Helper()
	dir = t.TempDir()
	server, err := pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
	require.NoError(t, err)
	told, kept = make(chan error, 100), make(chan struct{})
	go func() { server.Keep(func(err error) { told <- err }); close(kept) }()
	return dir, server, told, kept
}

// postmaster is the process of a folder's server.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "pg*", "postmaster.pid"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)
	line, _, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(line)
	require.NoError(t, err)
	return pid
}

func TestAServerWhoseStartFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	dir, server, told, kept := keeping(t)
	found, err := filepath.Glob(filepath.Join(dir, "pg*", "global", "pg_control"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	pid := postmaster(t, dir)
	require.NoError(t, os.Rename(found[0], found[0]+".aside"))
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.ErrorContains(t, <-told, "ended by itself")
	require.ErrorContains(t, <-told, "pg_control")
	require.NoError(t, os.Rename(found[0]+".aside", found[0]))
	for err = errors.New("not yet"); err != nil; {
		err = <-told
	}
	server.Stop()
	<-kept
}

func TestAServerThatIsStartedAgainCanBeStopped(t *testing.T) {
	t.Parallel()
	dir, server, told, kept := keeping(t)
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	<-told
	server.Stop()
	<-kept
	server, err := pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
	require.NoError(t, err, "the folder is free")
	server.Stop()
}

// A cleaner of temporary files may have taken it.
func TestAServerIsStartedAgainWhereTheFolderOfItsSocketIsGone(t *testing.T) {
	t.Parallel()
	dir, server, told, kept := keeping(t)
	socket, err := os.Readlink(filepath.Join(dir, "socket"))
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(socket))
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	require.ErrorContains(t, <-told, "ended by itself")
	require.NoError(t, <-told)
	server.Stop()
	<-kept
}
