package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/store"
)

// smallDisk is a folder on a disk of its own of the given megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk to fill")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=220m"); err != nil {
		t.Skip("no disk can be mounted here:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

func TestAFullDiskTakesNothingAndLosesNothing(t *testing.T) {
	t.Parallel()
	ctx, disk := context.Background(), smallDisk(t)
	server, err := pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(disk, "pg"), Settings: map[string]string{"max_wal_size": "64MB", "min_wal_size": "32MB", "shared_buffers": "16MB"}})
	require.NoError(t, err)
	t.Cleanup(server.Stop)
	pool, err := pgxpool.New(ctx, server.URL("postgres"))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, store.Migrate(ctx, pool))
	b := &bench{T: t, ground: onPostgres{t, pool}, pool: pool}
	b.store = b.open()
	b.group("bisi")
	b.fund("bisi", 1_000_000*money.Naira)

	// A ballast file fills the disk but for a little.
	ballast := filepath.Join(disk, "ballast")
	fill(t, disk, ballast, 3<<20)
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		yes    int64
		unsure []store.Command
		full   = make(chan struct{})
		once   sync.Once
	)
	before := b.head()
	for range 8 {
		wg.Go(func() {
			for {
				select {
				case <-full:
					return
				default:
				}
				c := command(uuid.New(), contribute("bisi", 1))
				_, err := b.store.Append(ctx, c)
				mu.Lock()
				switch {
				case err == nil:
					yes++
				case fault.Is(err, fault.Unavailable):
					require.ErrorContains(t, err, "Nothing was taken")
					once.Do(func() { close(full) })
				default:
					require.ErrorIs(t, err, store.ErrUnknown)
					unsure = append(unsure, c)
					once.Do(func() { close(full) })
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d recorded before the disk was full; %d not known", yes, len(unsure))

	require.NoError(t, os.Remove(ballast))
	require.Eventually(t, func() bool { return pool.Ping(ctx) == nil }, time.Minute, 50*time.Millisecond)
	for _, c := range unsure {
		_, err := b.store.Append(ctx, c)
		require.NoError(t, err)
		yes++
	}
	b.do(contribute("bisi", 1))
	require.Equal(t, before+yes+1, b.head())
	b.sound()
}

// fill writes a file that leaves the given bytes free.
func fill(t *testing.T, disk, path string, leave int64) {
	t.Helper()
	var stat syscall.Statfs_t
	require.NoError(t, syscall.Statfs(disk, &stat))
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	free := int64(stat.Bavail)*stat.Bsize - leave
	chunk := make([]byte, 1<<20)
	for ; free > 0; free -= int64(len(chunk)) {
		n, err := f.Write(chunk[:min(free, int64(len(chunk)))])
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			require.NoError(t, err)
		}
		require.Positive(t, n)
	}
}
