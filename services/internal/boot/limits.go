package boot

import (
	"fmt"
	"log/slog"
	"syscall"
)

// filesLeast is how many files a process must be able to open: its connections, those of members, and its streams.
const filesLeast = 512

// enoughFiles raises the limit of open files to what the process may have, for its Postgres too. It refuses to start
// with less than it needs: later, every payment would fail now and then.
func enoughFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		slog.Warn("how many files this process may open can't be learnt", "error", err)
		return nil
	}
	if limit.Max < filesLeast {
		return fmt.Errorf("this process may open %d files and needs %d: raise the limit (ulimit -n, or LimitNOFILE of the service)", limit.Max, filesLeast)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		slog.Warn("the limit of open files could not be raised", "error", err)
	}
	return nil
}
