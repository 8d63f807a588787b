package proofs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/mod/sumdb/note"
)

// The checkpoint file is text: signed notes one after another, each followed by an empty line. A record that a crash
// tore, always the last, has not got that line and is dropped. When the file is full it becomes <path>.old, in place of
// the one before, and a new one begins: each checkpoint commits to everything that those before it did, so what is
// dropped in time is only the proof of when.

const tailBytes = 2 * noteBytesMax

var (
	blankLine  = []byte("\n\n")
	signedMark = []byte("— ")
)

// ReadCheckpointFile answers all checkpoints of a file and of the full one before it, oldest first and verified. A
// torn last record is left out. It fails on any other that is not a checkpoint signed by one of the keys, on one that
// is out of order, and with fs.ErrNotExist when there is no file.
func ReadCheckpointFile(path string, verifiers []note.Verifier) ([]Checkpoint, error) {
	var all []Checkpoint
	none := true
	for _, name := range []string{path + ".old", path} {
		raw, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		none = false
		notes, _ := splitNotes(raw)
		for i, signed := range notes {
			c, err := ParseCheckpoint(signed, verifiers)
			if err != nil {
				return nil, fmt.Errorf("proofs: checkpoint %d of %s: %w", i+1, name, err)
			}
			if len(all) > 0 && !c.after(all[len(all)-1]) {
				return nil, fmt.Errorf("proofs: checkpoint %d of %s: %w: size %d is out of order", i+1, name, ErrInconsistent, c.Size)
			}
			all = append(all, c)
		}
	}
	if none {
		return nil, fmt.Errorf("proofs: checkpoint file %s: %w", path, fs.ErrNotExist)
	}
	return all, nil
}

// splitNotes answers the whole records and how many bytes they take. What is beyond is torn.
func splitNotes(raw []byte) (notes []string, whole int) {
	for rest := raw; ; rest = raw[whole:] {
		text := bytes.Index(rest, blankLine)
		if text < 0 {
			return notes, whole
		}
		signatures := bytes.Index(rest[text+2:], blankLine)
		if signatures < 0 {
			return notes, whole
		}
		end := text + 2 + signatures + 2
		notes = append(notes, string(rest[:end-1]))
		whole += end
	}
}

// lastInFile is the last checkpoint that a file holds, verified; of size 0 when there is none.
func lastInFile(path string, verifiers []note.Verifier) (Checkpoint, error) {
	for _, name := range []string{path, path + ".old"} {
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Checkpoint{}, fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		last, _, err := tail(file, verifiers)
		_ = file.Close()
		if err != nil || last.Size > 0 {
			return last, err
		}
	}
	return Checkpoint{}, nil
}

// tail answers the last checkpoint of an open file, of size 0 when it holds none, and where its last whole record ends.
func tail(file *os.File, verifiers []note.Verifier) (last Checkpoint, end int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return last, 0, fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	from := max(0, info.Size()-tailBytes)
	raw, err := io.ReadAll(io.NewSectionReader(file, from, info.Size()-from))
	if err != nil {
		return last, 0, fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	if from > 0 { // Begin where a record does: after an empty line that no signatures follow.
		start := 0
		for start == 0 || bytes.HasPrefix(raw[start:], signedMark) {
			next := bytes.Index(raw[start:], blankLine)
			if next < 0 {
				return last, 0, fmt.Errorf("proofs: checkpoint file %s: %w: its end holds no checkpoint", file.Name(), ErrCheckpoint)
			}
			start += next + 2
		}
		raw, from = raw[start:], from+int64(start)
	}
	notes, whole := splitNotes(raw)
	if len(notes) == 0 {
		return last, from, nil
	}
	if last, err = ParseCheckpoint(notes[len(notes)-1], verifiers); err != nil {
		return last, 0, fmt.Errorf("proofs: the last checkpoint of %s: %w", file.Name(), err)
	}
	return last, from + int64(whole), nil
}

// appendToFile adds checkpoints to a file and returns once they are on the disk. Those that are not after the last
// one there are left out: another process was faster.
func appendToFile(path string, full int64, verifiers []note.Verifier, list []Checkpoint) error {
	lock, err := lockFile(path)
	if err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	defer func() { _ = lock.Close() }()
	last, err := lastInFile(path, verifiers)
	if err != nil {
		return err
	}
	var text []byte
	for _, c := range list {
		if c.after(last) {
			text, last = append(append(text, c.Note...), '\n'), c
		}
	}
	if len(text) == 0 {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() >= full {
		if err := os.Rename(path, path+".old"); err != nil {
			return fmt.Errorf("proofs: checkpoint file: %w", err)
		}
	}
	return appendText(path, verifiers, text)
}

// appendText writes after the last whole record.
func appendText(path string, verifiers []note.Verifier, text []byte) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, end, err := tail(file, verifiers)
	if err != nil {
		return err
	}
	if err := file.Truncate(end); err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	if _, err := file.WriteAt(text, end); err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	if end > 0 {
		return nil
	}
	folder, err := os.Open(filepath.Dir(path)) // A new file is on the disk once its folder is.
	if err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	defer func() { _ = folder.Close() }()
	return folder.Sync()
}

// lockFile waits for our turn at a file.
func lockFile(path string) (*os.File, error) {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}
