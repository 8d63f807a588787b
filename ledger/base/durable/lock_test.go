package durable_test

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/durable"
)

func TestALockIsHeldByOneAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := durable.TryLock(path, 0o600)
	require.NoError(t, err)
	_, err = durable.TryLock(path, 0o600)
	require.ErrorIs(t, err, durable.ErrLocked)

	waited := make(chan error, 1)
	go func() {
		second, err := durable.WaitLock(path, 0o600)
		if err == nil {
			err = second.Close()
		}
		waited <- err
	}()
	require.NoError(t, first.Close())
	require.NoError(t, <-waited)
	_, err = durable.TryLock(filepath.Join(path, "below a file"), 0o600)
	require.Error(t, err)
	require.NotErrorIs(t, err, durable.ErrLocked, "it is not held, it cannot be")
}

// A child that is being started has a copy of every open file until it runs its own program.
func TestALockIsFreeWhileAChildIsBeingStarted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := durable.TryLock(path, 0o600)
	require.NoError(t, err)
	child := copyOf(t, path)
	require.NoError(t, lock.Close())
	next, err := durable.TryLock(path, 0o600)
	require.NoError(t, err)
	require.NoError(t, next.Close())
	require.NoError(t, syscall.Close(child))
}

// copyOf copies an open file descriptor, as starting a child does.
func copyOf(t *testing.T, path string) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("only Linux tells which files are open")
	}
	for _, entry := range open {
		if at, _ := os.Readlink(filepath.Join("/proc/self/fd", entry.Name())); at == path {
			number, err := strconv.Atoi(entry.Name())
			require.NoError(t, err)
			copied, err := syscall.Dup(number)
			require.NoError(t, err)
			return copied
		}
	}
	require.FailNow(t, "the lock's file is not open")
	return 0
}
