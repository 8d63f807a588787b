package durable

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// Lock is a file that one process at a time holds.
type Lock struct{ file *os.File }

// ErrLocked is returned by TryLock while another holds the file.
var ErrLocked = errors.New("another process holds the lock")

// WaitLock takes a lock, waiting until its holder releases it. The file is made when absent, and stays.
func WaitLock(path string, mode fs.FileMode) (*Lock, error) { return lock(path, mode, syscall.LOCK_EX) }

// TryLock takes a lock if no process holds it.
func TryLock(path string, mode fs.FileMode) (*Lock, error) {
	taken, err := lock(path, mode, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	return taken, err
}

func lock(path string, mode fs.FileMode, how int) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, mode)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Lock{file: file}, nil
}

// Share makes a program that is not started yet hold the lock too, and all programs that it starts: until Close, or
// until all of them have ended.
func (l *Lock) Share(cmd *exec.Cmd) { cmd.ExtraFiles = append(cmd.ExtraFiles, l.file) }

// Close releases the lock. Closing the file alone would not, for a moment: a child that is being started has a copy of
// every open file until it runs its own program.
func (l *Lock) Close() error {
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}
