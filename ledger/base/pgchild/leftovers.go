package pgchild

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"adashi.ng/ledger/base/durable"
)

// A server that had no time to end leaves postmaster.pid, which may name another process by now, and the folder of its
// socket. The next start removes both under our lock on the data folder.

const (
	pidFile       = "postmaster.pid"
	socketPrefix  = "adashi-pg-"
	lastServerMax = 20 * time.Second // How long a server that lost its parent may take to end.
)

// soleMaker answers a lock on making a cluster. An initdb that lost its parent still holds it, as do the programs that
// it started: they may take a moment to end, and would write to the next cluster's files.
func soleMaker(ctx context.Context, making string) (*durable.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lastServerMax)
	defer cancel()
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	for {
		lock, err := durable.TryLock(making+".lock", 0o600)
		if err == nil {
			return lock, nil
		}
		if !errors.Is(err, durable.ErrLocked) {
			return nil, fmt.Errorf("postgres: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("postgres: an initdb of before still runs on %s: stop it first", making)
		case <-tick.C:
		}
	}
}

// clearPidFile removes the file of a server that is gone. Postgres would refuse to start if another process has the id
// in the file, or if the file is empty. That no server runs is clear from the processes that work in the cluster's
// folder, as all of Postgres's do; where these cannot be seen Postgres decides by itself.
func clearPidFile(ctx context.Context, cluster string) error {
	_, err := os.Stat(filepath.Join(cluster, pidFile))
	if errors.Is(err, fs.ErrNotExist) || runtime.GOOS != "linux" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lastServerMax)
	defer cancel()
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	for {
		pid, err := worksIn(cluster)
		if err != nil {
			return err
		}
		if pid == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("postgres: process %d still runs on %s: stop it first", pid, cluster)
		case <-tick.C:
		}
	}
	if err := os.Remove(filepath.Join(cluster, pidFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("postgres: %w", err)
	}
	return nil
}

// worksIn answers a Postgres process whose working folder this is, or 0.
func worksIn(dir string) (int, error) {
	folder, err := os.Stat(dir)
	if err != nil {
		return 0, fmt.Errorf("postgres: %w", err)
	}
	all, err := os.ReadDir("/proc")
	if err != nil {
		return 0, fmt.Errorf("postgres: %w", err)
	}
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		// One that is ending, or not ours to look at, has no folder.
		at, err := os.Stat(filepath.Join("/proc", entry.Name(), "cwd"))
		if err != nil || !os.SameFile(at, folder) {
			continue
		}
		// A process of another program in this folder is not a server.
		if name, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "comm")); err == nil && string(name) == "postgres\n" {
			return pid, nil
		}
	}
	return 0, nil
}

// socketFolder makes the folder of the socket: a temporary one, since a socket's path holds at most 107 bytes. A link
// in the data folder points to it. The link is made first, so that the next start finds the folder.
func socketFolder(dir string, account *account) (string, error) {
	link := filepath.Join(dir, "socket")
	if last, err := os.Readlink(link); err == nil {
		removeSocketFolder(last, dir)
	}
	// Not from crypto/rand, which gives two tests with one seed the same name.
	path := filepath.Join(os.TempDir(), fmt.Sprintf("%s%08x%d", socketPrefix, rand.Uint32(), os.Getpid()))
	err := os.Remove(link)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err = errors.Join(err, os.Symlink(path, link)); err == nil {
		err = durable.SyncFolder(dir)
	}
	if err == nil {
		err = makeSocketFolder(path, dir, account)
	}
	if err != nil {
		return "", fmt.Errorf("postgres: socket folder: %w", err)
	}
	return path, nil
}

func makeSocketFolder(path, dir string, account *account) error {
	owner, err := identity(dir)
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(path, ownerFile), []byte(owner), 0o600)
	}
	if err != nil {
		return err
	}
	return account.own(path)
}

// clearSocket removes the socket of a server that is gone, and its lock. Postgres would refuse to start if another
// process has the id in the lock. If the folder itself is gone, for example because a cleaner of temporary files
// removed it, it is made again.
func clearSocket(folder, dir string, account *account) error {
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		if err := makeSocketFolder(folder, dir, account); err != nil {
			return fmt.Errorf("postgres: socket folder: %w", err)
		}
		return nil
	}
	left, err := filepath.Glob(filepath.Join(folder, ".s.PGSQL.*"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return fmt.Errorf("postgres: socket folder: %w", err)
	}
	return nil
}

// removeSocketFolder removes the socket's folder of one data folder, and never that of another: the link in a copied
// data folder leads to the socket of the original, whose server may be running.
func removeSocketFolder(path, dir string) {
	owner, err := identity(dir)
	if err != nil || !strings.HasPrefix(filepath.Base(path), socketPrefix) {
		return
	}
	if said, err := os.ReadFile(filepath.Join(path, ownerFile)); err == nil && string(said) == owner {
		_ = os.RemoveAll(path)
	}
}

// ownerFile is a file in the socket's folder. It holds the identity of the data folder.
const ownerFile = "owner"

// identity is a folder's device and inode: a copy has another one, a folder that was moved keeps it.
func identity(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("postgres: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", errors.New("postgres: this system does not tell folders apart")
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino), nil
}

// causes are the words before the reason in an error line of Postgres's programs, the gravest first.
var causes = []string{"PANIC:", "FATAL:", "error:", "ERROR:", "but ", "could not "}

// causeFirst combines a program's output with how it ended, and puts the line with the cause first.
func causeFirst(said string, err error) string {
	for _, word := range causes {
		for line := range strings.Lines(said) {
			_, cause, found := strings.Cut(line, word)
			if found && !strings.Contains(cause, "the database system is ") { // Each refused connection logs this.
				return fmt.Sprintf("%s (%v). It said:\n%s", strings.TrimSpace(cause), err, said)
			}
		}
	}
	return fmt.Sprintf("%v. It said:\n%s", err, said)
}
