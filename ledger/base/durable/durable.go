// Package durable writes files and folders to the disk: a power cut leaves the old or the new, and nothing that was
// confirmed is lost. A rename alone does not do that: the name may be on the disk long before the content.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile replaces a file's content, and returns once it is on the disk. The file gets the mode, whatever it had
// before. Callers must not write one file at the same time.
func WriteFile(path string, content []byte, mode fs.FileMode) (err error) {
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	if err = file.Chmod(mode); err == nil {
		_, err = file.Write(content)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	return Replace(file, path)
}

// Replace syncs and closes a complete file and renames it to path, in the same folder.
func Replace(file *os.File, path string) error {
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	return Rename(file.Name(), path)
}

// Rename renames within a folder and returns once that is on the disk. The caller has synced the file before.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(to))
}

// Touch makes an empty file, unless there is one, and checks that it can be written.
func Touch(path string, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// MakeFolder makes a folder and those above it, and returns once all new ones are on the disk. It also syncs the name
// of an existing folder: a process that a power cut ended may have made it a moment ago.
func MakeFolder(path string, mode fs.FileMode) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	var parents []string
	for made := path; ; made = filepath.Dir(made) {
		parents = append(parents, filepath.Dir(made))
		if _, err := os.Stat(filepath.Dir(made)); err == nil {
			break
		}
	}
	_, before := os.Stat(path)
	if err := os.MkdirAll(path, mode); err != nil {
		return err
	}
	for _, parent := range parents {
		// A process that may not read the parent folder did not make this one in it.
		if err := SyncFolder(parent); err != nil && (before != nil || !errors.Is(err, fs.ErrPermission)) {
			return err
		}
	}
	return nil
}

// SyncFolder puts the names in a folder on the disk.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // This file system syncs no folders; its names need none.
	}
	if err = errors.Join(err, folder.Close()); err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}
