package boot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/base/pgchild"
)

// identityFile says, in a data folder with a private database, which instance of the product it is. A copy of the
// folder has the same file: two processes on one ledger's copies would each send its payouts, and never run at once.
const identityFile = "instance.json"

// identity is what the file holds.
type identity struct {
	ID     string    `json:"id"`
	Folder string    `json:"folder"` // Where the folder was when it was last started.
	Made   time.Time `json:"made"`   // UTC.
}

// folderIdentity reads the file. It returns nil where the folder has none yet.
func folderIdentity(data string) (*identity, error) {
	path := filepath.Join(data, identityFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	var it identity
	if err := json.Unmarshal(raw, &it); err != nil || it.ID == "" {
		return nil, fmt.Errorf("%s does not say which instance this folder is: put the file back from a backup, or remove it if no copy of this folder runs anywhere", path)
	}
	return &it, nil
}

// claimFolder takes a data folder with a private database for this process, before its Postgres starts.
func (i *Instance) claimFolder() error {
	folder, err := filepath.Abs(i.Config.Data)
	if err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	it, err := folderIdentity(folder)
	if err != nil || it == nil {
		return err
	}
	if !pgchild.HasCluster(i.postgresDir()) {
		return fmt.Errorf("%s is only half a data folder: its %s is there and its database in %s is gone. Put the database back from a backup", folder, identityFile, i.postgresDir())
	}
	if err := i.holdIdentity(it.ID, folder); err != nil {
		return err
	}
	if !sameFolder(it.Folder, folder) {
		slog.Warn("this data folder was moved, or is a copy: if the other one is still started anywhere, both pay out the same money", "instance", it.ID, "was", it.Folder, "is", folder)
		it.Folder = folder
		return it.write(folder)
	}
	return nil
}

// nameFolder gives a data folder its identity, once its database was made.
func (i *Instance) nameFolder() error {
	folder, err := filepath.Abs(i.Config.Data)
	if err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	it, err := folderIdentity(folder)
	if err == nil && it == nil {
		it = &identity{ID: clock.ID(i.Now()).String(), Folder: folder, Made: i.Now().UTC()}
		if err = i.holdIdentity(it.ID, folder); err == nil {
			err = it.write(folder)
		}
	}
	if err == nil {
		slog.Info("the data folder is this instance", "instance", it.ID, "folder", folder)
	}
	return err
}

func (it *identity) write(folder string) error {
	raw, err := json.MarshalIndent(it, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(folder, identityFile), append(raw, '\n'), 0o644); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return nil
}

// holdIdentity refuses an instance that runs on this machine already, from another folder. The name it takes is one of
// Linux's abstract sockets: it is no file, and free again when the process ends, however it ends.
func (i *Instance) holdIdentity(id, folder string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	name := &net.UnixAddr{Name: "@adashi-" + id, Net: "unix"}
	held, err := net.ListenUnix("unix", name)
	if errors.Is(err, syscall.EADDRINUSE) {
		other := whoHolds(name)
		if sameFolder(other, folder) {
			return fmt.Errorf("%w: %s", pgchild.ErrInUse, folder)
		}
		return fmt.Errorf("two data folders have one id: %s is a copy of %s, which runs. Two of them would pay out the same money. "+
			"Stop the other one first, or remove %s here to try something on this copy, with no live rail", folder, other, filepath.Join(folder, identityFile))
	}
	if err != nil {
		slog.Warn("whether a copy of this data folder runs on this machine is not known", "error", err)
		return nil
	}
	i.onStop(func() { _ = held.Close() })
	go func() {
		for {
			conn, err := held.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, folder)
			_ = conn.Close()
		}
	}()
	return nil
}

// sameFolder reports whether two paths lead to one folder, as over a link.
func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return a == b
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// whoHolds asks the process that has a name for its folder.
func whoHolds(name *net.UnixAddr) string {
	conn, err := net.DialUnix("unix", nil, name)
	if err != nil {
		return "a folder"
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(clock.In(time.Second))
	folder, err := io.ReadAll(io.LimitReader(conn, 4096))
	if err != nil || len(folder) == 0 {
		return "a folder"
	}
	return string(folder)
}
