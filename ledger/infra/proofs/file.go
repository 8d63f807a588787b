package proofs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/base/durable"
)

// The checkpoint file is text: signed notes one after another, each followed by an empty line. A record that a crash
// cut short, always the last, does not have that line and is dropped. When the file is full it becomes <path>.old,
// replacing the earlier one, and a new file begins with every statement. Each checkpoint commits to everything that
// those before it did, so dropping old ones loses only the proof of when they were signed.

var blankLine = []byte("\n\n")

// Kept is the content of a checkpoint file and of the full one before it.
type Kept struct {
	Last        Checkpoint   // Of size 0 when there is none.
	Epochs      []EpochStart // By epoch.
	Closings    []Closing    // By position.
	Checkpoints []Checkpoint // All of them, oldest first; only ReadFile fills it.
}

// Empty reports whether the file has no record.
func (k Kept) Empty() bool { return k.Last.Size == 0 && len(k.Epochs) == 0 && len(k.Closings) == 0 }

// Stands reports whether a checkpoint is part of the current history: no later epoch began before its end.
func (k Kept) Stands(c Checkpoint) bool {
	return !slices.ContainsFunc(k.Epochs, func(e EpochStart) bool { return e.Epoch > c.Epoch && e.From < c.Size })
}

// Start is the statement that an epoch began, if there is one.
func (k Kept) Start(epoch int) (EpochStart, bool) {
	i := slices.IndexFunc(k.Epochs, func(e EpochStart) bool { return e.Epoch == epoch })
	if i < 0 {
		return EpochStart{}, false
	}
	return k.Epochs[i], true
}

// ErrAhead is returned when the checkpoint file has a later checkpoint than the database: the database was restored
// from a copy, or cut. It is an ErrInconsistent too.
var ErrAhead = fmt.Errorf("%w: the checkpoint file knows of more", ErrInconsistent)

// Against compares a file with a ledger: its epoch, its last position and its latest checkpoint. The sealer and the
// audit both apply this rule: the database has everything that the file has. Each error is an ErrInconsistent with a
// sentence. The caller must check that the roots are those of the events.
func (k Kept) Against(epoch int, head int64, latest Checkpoint) (wrong []error) {
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%w: %s", ErrInconsistent, fmt.Sprintf(format, args...)))
	}
	if k.Empty() && latest.Size > 0 {
		say("the checkpoint file is missing or empty, and the database has a checkpoint of size %d: put the file back, or begin an epoch without it (adashi ledger epoch raise)", latest.Size)
		return wrong
	}
	if _, signed := k.Start(epoch); epoch > 1 && !signed {
		say("epoch %d has begun and no statement that the ledger's key signed says so: adashi ledger epoch acknowledge %d", epoch, epoch)
	}
	if known := max(k.Last.Epoch, k.lastEpoch()); known > epoch {
		wrong = append(wrong, fmt.Errorf("%w: it knows of epoch %d, and the ledger is in epoch %d", ErrAhead, known, epoch))
	}
	if k.Last.Size > 0 && k.Stands(k.Last) && k.Last.Size > head {
		wrong = append(wrong, fmt.Errorf("%w: it has a checkpoint of size %d, and the ledger ends at position %d: events were cut off, or it was restored from a copy", ErrAhead, k.Last.Size, head))
	}
	if latest.Size > 0 && !k.Stands(latest) {
		say("the checkpoint of size %d is of epoch %d, of which the ledger has given that up", latest.Size, latest.Epoch)
	}
	return wrong
}

func (k Kept) lastEpoch() int {
	if len(k.Epochs) == 0 {
		return 0
	}
	return k.Epochs[len(k.Epochs)-1].Epoch
}

// take adds a record. Checkpoints are verified later.
func (k *Kept) take(signed string, verifiers []note.Verifier) (statement bool, err error) {
	first, _, _ := strings.Cut(signed, "\n")
	switch {
	case strings.HasSuffix(first, epochStartKind):
		e, err := ParseEpochStart(signed, verifiers)
		if err != nil {
			return true, err
		}
		if at, known := k.Start(e.Epoch); known && at.Note != e.Note {
			return true, fmt.Errorf("%w: epoch %d begins twice", ErrInconsistent, e.Epoch)
		} else if !known {
			k.Epochs = append(k.Epochs, e)
			slices.SortFunc(k.Epochs, func(a, b EpochStart) int { return a.Epoch - b.Epoch })
		}
		return true, nil
	case strings.HasSuffix(first, closingKind):
		c, err := parseClosing(signed, verifiers)
		if err == nil && !slices.ContainsFunc(k.Closings, func(other Closing) bool { return other.Note == c.Note }) {
			k.Closings = append(k.Closings, c)
		}
		return true, err
	}
	return false, nil
}

// statements is the text of every statement in the file.
func (k Kept) statements() (text []byte) {
	for _, e := range k.Epochs {
		text = append(append(text, e.Note...), '\n')
	}
	for _, c := range k.Closings {
		text = append(append(text, c.Note...), '\n')
	}
	return text
}

// ReadFile answers the verified content of a file and of the full one before it. It leaves out a last record that was
// cut short. It fails on a record that no given key signed, on a checkpoint that is out of order or of an epoch above 1
// without a statement that it began, and with fs.ErrNotExist when there is no file.
func ReadFile(path string, verifiers []note.Verifier) (Kept, error) {
	var all Kept
	none := true
	for _, name := range []string{path + ".old", path} {
		raw, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Kept{}, fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		none = false
		notes, _ := splitNotes(raw)
		for i, signed := range notes {
			if err := all.add(signed, verifiers); err != nil {
				return Kept{}, fmt.Errorf("proofs: record %d of %s: %w", i+1, name, err)
			}
		}
	}
	if none {
		return Kept{}, fmt.Errorf("proofs: checkpoint file %s: %w", path, fs.ErrNotExist)
	}
	for _, c := range all.Checkpoints {
		if _, begun := all.Start(c.Epoch); c.Epoch > 1 && !begun {
			return Kept{}, fmt.Errorf("proofs: checkpoint file %s: %w: no statement says that epoch %d began, of which it has a checkpoint of size %d", path, ErrInconsistent, c.Epoch, c.Size)
		}
	}
	return all, nil
}

func (k *Kept) add(signed string, verifiers []note.Verifier) error {
	if statement, err := k.take(signed, verifiers); statement || err != nil {
		return err
	}
	c, err := ParseCheckpoint(signed, verifiers)
	if err != nil {
		return err
	}
	if !c.after(k.Last) {
		return fmt.Errorf("%w: size %d is out of order", ErrInconsistent, c.Size)
	}
	k.Checkpoints, k.Last = append(k.Checkpoints, c), c
	return nil
}

// splitNotes answers the whole records and how many bytes they take. The bytes after them are an incomplete record.
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

// file is a checkpoint file that a sealer follows and adds to. Others may add to it too.
type file struct {
	path      string
	full      int64 // The size at which a new file begins.
	verifiers []note.Verifier
	Kept

	read os.FileInfo // The file that was last read; nil when there was none.
	end  int64       // The end of its last whole record.
}

// follow reads the records added since. It verifies only the last of the checkpoints.
func (f *file) follow() error {
	in, err := os.Open(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	if in != nil {
		defer func() { _ = in.Close() }()
	}
	var info os.FileInfo
	if in != nil {
		if info, err = in.Stat(); err != nil {
			return fmt.Errorf("proofs: checkpoint file: %w", err)
		}
	}
	var last string
	if f.read == nil || info == nil || !os.SameFile(f.read, info) || info.Size() < f.end {
		f.Kept, f.end = Kept{}, 0
		raw, err := os.ReadFile(f.path + ".old")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		if _, last, err = f.skim(raw, last); err != nil {
			return fmt.Errorf("proofs: checkpoint file %s.old: %w", f.path, err)
		}
	}
	if f.read = info; info != nil && info.Size() > f.end {
		raw, err := io.ReadAll(io.NewSectionReader(in, f.end, info.Size()-f.end))
		if err != nil {
			return fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		var whole int
		if whole, last, err = f.skim(raw, last); err != nil {
			f.read = nil
			return fmt.Errorf("proofs: checkpoint file %s: %w", f.path, err)
		}
		f.end += int64(whole)
	}
	if last == "" {
		return nil
	}
	if f.Last, err = ParseCheckpoint(last, f.verifiers); err != nil {
		f.read = nil
		return fmt.Errorf("proofs: the last checkpoint of %s: %w", f.path, err)
	}
	return nil
}

// skim takes the statements, and answers the bytes of whole records and the last checkpoint's note.
func (f *file) skim(raw []byte, last string) (int, string, error) {
	notes, whole := splitNotes(raw)
	if whole == 0 && len(raw) > noteBytesMax {
		return 0, last, fmt.Errorf("%w: it holds none", ErrCheckpoint)
	}
	for _, signed := range notes {
		statement, err := f.take(signed, f.verifiers)
		if err != nil {
			return 0, last, err
		}
		if !statement {
			last = signed
		}
	}
	return whole, last, nil
}

// add writes records and returns once they are on the disk. It leaves out checkpoints that are not after the last one
// in the file: another process was faster.
func (f *file) add(checkpoints []Checkpoint, statements ...string) error {
	lock, err := durable.WaitLock(f.path+".lock", 0o600)
	if err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if err := f.follow(); err != nil {
		return err
	}
	var text []byte
	for _, signed := range statements {
		text = append(append(text, signed...), '\n')
	}
	for last, i := f.Last, 0; i < len(checkpoints); i++ {
		if c := checkpoints[i]; c.after(last) {
			text, last = append(append(text, c.Note...), '\n'), c
		}
	}
	switch {
	case len(text) == 0:
		return nil
	case f.read == nil || f.end == 0 || f.end >= f.full:
		err = f.rewrite(text)
	default:
		err = f.append(text)
	}
	if err != nil {
		return fmt.Errorf("proofs: checkpoint file: %w", err)
	}
	return f.follow()
}

// append writes after the last whole record.
func (f *file) append(text []byte) (err error) {
	out, err := os.OpenFile(f.path, os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := out.Truncate(f.end); err != nil {
		return err
	}
	if _, err := out.WriteAt(text, f.end); err != nil {
		return err
	}
	return out.Sync()
}

// rewrite replaces the file with a new one that has every statement. A crash leaves either the old file or the new one,
// and both have the statements.
func (f *file) rewrite(text []byte) error {
	coming := f.path + ".coming"
	if err := durable.WriteFile(coming, append(f.statements(), text...), 0o644); err != nil {
		return err
	}
	if f.end > 0 {
		if err := os.Rename(f.path, f.path+".old"); err != nil {
			return err
		}
	}
	return durable.Rename(coming, f.path)
}

// Ahead compares a checkpoint file with the database once, before a process begins to append. Its error is ErrAhead if
// the file has a later checkpoint. For a file that cannot be read or verified it returns nil: the sealer reports that.
func Ahead(ctx context.Context, pool *pgxpool.Pool, keys Keys, path string) error {
	f := file{path: path, verifiers: keys.Verifiers()}
	if err := f.follow(); err != nil {
		return nil //nolint:nilerr // The sealer says so.
	}
	var epoch int
	var head int64
	if err := pool.QueryRow(ctx, "SELECT epoch, pos FROM ledger_head").Scan(&epoch, &head); err != nil {
		return fmt.Errorf("proofs: read the head: %w", err)
	}
	for _, wrong := range f.Against(epoch, head, Checkpoint{}) {
		if errors.Is(wrong, ErrAhead) {
			return wrong
		}
	}
	return nil
}

// AddStatement writes a signed statement into a checkpoint file, and returns once it is on the disk. A missing file
// begins with it.
func AddStatement(path, signed string, verifiers []note.Verifier) error {
	f := file{path: path, full: fileBytesMax, verifiers: verifiers}
	return f.add(nil, signed)
}

// KeptSizes answers the sizes of all checkpoints of a file and of the full one before it. It does not verify them;
// ReadFile does.
func KeptSizes(path string) (map[int64]bool, error) {
	sizes := map[int64]bool{}
	for _, name := range []string{path + ".old", path} {
		raw, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("proofs: checkpoint file: %w", err)
		}
		notes, _ := splitNotes(raw)
		for _, signed := range notes {
			_, rest, _ := strings.Cut(signed, "\n")
			size, _, _ := strings.Cut(rest, "\n")
			if n, err := strconv.ParseInt(size, 10, 64); err == nil {
				sizes[n] = true
			}
		}
	}
	return sizes, nil
}
