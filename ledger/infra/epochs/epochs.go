// Package epochs begins epochs: an operator does this when the ledger's database and the stream or the checkpoint file
// have different histories, as after a restore to an earlier time.
//
//	Find ──▶ Raise: appends go on, in an epoch of their own ──▶ Acknowledge: signed, sealing goes on
//
// An epoch begins where histories part. Find compares them to find the part that both have: the file's checkpoints with
// the roots of the current events, and between two checkpoints the stream's messages with the events. Raise only adds a
// row to the database and gives up no checkpoint; only the statement that the ledger's key signs does, and it stays in
// the checkpoint file for ever.
package epochs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/relay"
)

var (
	// ErrTogether is returned if the histories have not parted: there is no epoch to begin.
	ErrTogether = errors.New("the stream and the checkpoint file agree with the ledger")
	// ErrGivesUp is returned when the events given up would be more or fewer than the operator agreed to.
	ErrGivesUp = errors.New("this is not what was said to be given up")
	// ErrSigned is returned for an epoch that is acknowledged already.
	ErrSigned = errors.New("this epoch is acknowledged already")
	// ErrFile is returned for a checkpoint file that cannot be trusted.
	ErrFile = errors.New("the checkpoint file is not this ledger's: move it away, and keep it as evidence")
)

// Ledger is the ledger to examine.
type Ledger struct {
	Pool     *pgxpool.Pool
	Keys     proofs.Keys
	File     string              // The checkpoint file.
	JS       jetstream.JetStream // Nil if the stream cannot be read: then the positions that the relay saw count.
	Clock    clock.Clock         // clock.System when nil.
	Progress func(done, total int64)
}

// Parting is where histories part.
type Parting struct {
	Epoch      int               // The ledger's epoch.
	Next       int               // The epoch that would begin.
	Head       int64             // The ledger's last position.
	From       int64             // Positions up to it are common to both.
	Agrees     int64             // The size of the last checkpoint of the file that the events still have the root of.
	Lost       proofs.Checkpoint // The last checkpoint that the events do not have; of size 0 for none.
	StreamLast int64             // The last position of the stream that is given up, if it goes beyond From.
	NoFile     bool              // There is no checkpoint file, or no checkpoint is left in it or in the database.
	Why        string            // What stopped the appends; empty when nothing did.
}

// GivesUp is how many recorded positions are lost, as far as is known.
func (p Parting) GivesUp() int64 { return max(p.Lost.Size, p.StreamLast, p.From) - p.From }

// Find finds where the ledger's history parts from that of the stream and the checkpoint file. It fails with
// ErrTogether if they agree, and with ErrFile for another ledger's file.
func (l Ledger) Find(ctx context.Context) (Parting, error) {
	if l.JS != nil {
		if _, err := relay.Agree(ctx, l.Pool, l.JS, l.now); err != nil {
			return Parting{}, fmt.Errorf("the stream cannot be compared: %w", err)
		}
	}
	seen, parted, err := history.Parted(ctx, l.Pool)
	if err != nil {
		return Parting{}, err
	}
	kept, err := l.kept()
	if err != nil {
		return Parting{}, err
	}
	p, breaks, err := l.compare(ctx, kept)
	if err != nil {
		return p, err
	}
	p.Why, p.Next = seen.Why, max(p.Next, seen.Next)
	streamed := parted && seen.Next > 0
	_, signed := kept.Start(p.Epoch)
	if p.Lost.Size == 0 && !streamed && !p.NoFile {
		if p.Epoch > 1 && !signed {
			return p, fmt.Errorf("%w: epoch %d has begun and is not acknowledged", ErrTogether, p.Epoch)
		}
		return p, fmt.Errorf("%w up to position %d", ErrTogether, p.Head)
	}
	switch {
	case streamed:
		p.From = min(max(seen.From, p.Agrees), breaks-1, p.Head)
		p.StreamLast = seen.StreamLast
	case p.Lost.Size > 0:
		p.From = p.Agrees
	default:
		p.From = p.Head
	}
	if p.StreamLast <= p.From {
		p.StreamLast = 0
	}
	return p, nil
}

func (l Ledger) kept() (proofs.Kept, error) {
	kept, err := proofs.ReadFile(l.File, l.Keys.Verifiers())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return proofs.Kept{}, nil
	case errors.Is(err, proofs.ErrCheckpoint), errors.Is(err, proofs.ErrStatement):
		return kept, fmt.Errorf("%w (%w)", ErrFile, err)
	}
	return kept, err
}

// compare compares the file's checkpoints with the events. breaks is the size of the first that differs, or one more
// than the head.
func (l Ledger) compare(ctx context.Context, kept proofs.Kept) (p Parting, breaks int64, err error) {
	if p.Epoch, p.Head, err = history.Head(ctx, l.Pool); err != nil {
		return p, 0, err
	}
	p.Next = p.Epoch + 1
	sealed, err := proofs.NewReader(l.Pool, l.Keys).Latest(ctx)
	if err != nil && !errors.Is(err, proofs.ErrNone) {
		return p, 0, err
	}
	known := []proofs.Checkpoint{}
	if sealed.Size > 0 && kept.Stands(sealed) {
		known = append(known, sealed)
	}
	for _, c := range kept.Checkpoints {
		p.Next = max(p.Next, c.Epoch+1)
		if kept.Stands(c) {
			known = append(known, c)
		}
	}
	start, signed := kept.Start(p.Epoch)
	begins := signed && l.now().Sub(start.At) <= proofs.NewFor // Its first checkpoint is about to come.
	p.NoFile = kept.Empty() || len(known) == 0 && !begins && p.Head > 0
	sizes := make([]int64, len(known))
	for i, c := range known {
		sizes[i] = c.Size
	}
	roots, err := l.roots(ctx, p.Head, sizes)
	if err != nil {
		return p, 0, err
	}
	breaks = p.Head + 1
	for _, c := range known {
		if root, there := roots[c.Size]; !there || root != c.Root {
			breaks = min(breaks, c.Size)
			if c.Size >= p.Lost.Size {
				p.Lost = proofs.Checkpoint{Epoch: c.Epoch, Size: c.Size, Root: c.Root}
			}
		}
	}
	for _, c := range known {
		if c.Size < breaks {
			p.Agrees = max(p.Agrees, c.Size)
		}
	}
	return p, breaks, nil
}

// Raise begins the epoch for a parting, so that appends continue. It answers false when another process did.
func (l Ledger) Raise(ctx context.Context, p Parting, reason string) (bool, error) {
	if err := proofs.CheckReason(reason); err != nil {
		return false, err
	}
	return history.RaiseEpoch(ctx, l.Pool, p.Epoch, history.Epoch{Number: p.Next, From: p.From, StreamLast: p.StreamLast, Reason: reason, RaisedAt: l.now()})
}

// Acknowledge signs the start of the ledger's epoch, so that sealing continues. It compares the file with the events
// itself; from the row that Raise wrote it takes only where between two checkpoints the epoch began, and the last
// position of its stream. givesUp is how many recorded positions the operator means to give up. It fails with
// store.ErrNoEpoch for an epoch that the ledger is not in, ErrSigned, ErrFile, and ErrGivesUp, which says how many
// there are.
func (l Ledger) Acknowledge(ctx context.Context, epoch int, reason string, givesUp int64) (proofs.EpochStart, error) {
	var none proofs.EpochStart
	row, err := l.row(ctx, epoch)
	if err != nil {
		return none, err
	}
	kept, err := l.kept()
	if err != nil {
		return none, err
	}
	if _, signed := kept.Start(epoch); signed {
		return none, ErrSigned
	}
	p, breaks, err := l.compare(ctx, kept)
	if err != nil {
		return none, err
	}
	if p.Epoch != epoch {
		return none, fmt.Errorf("%w: the ledger is in epoch %d", history.ErrNoEpoch, p.Epoch)
	}
	if row.From < p.Agrees || row.From >= breaks || row.From > p.Head {
		return none, fmt.Errorf("%w: its row says that it began after position %d, and the checkpoint file and the events have everything up to %d in common and part before %d",
			proofs.ErrInconsistent, row.From, p.Agrees, breaks)
	}
	roots, err := l.roots(ctx, row.From, []int64{row.From})
	if err != nil {
		return none, err
	}
	e := proofs.EpochStart{Epoch: epoch, From: row.From, Lost: p.Lost, StreamLast: row.StreamLast, At: l.now().Truncate(time.Second), Reason: reason}
	if row.From > 0 {
		e.Root = roots[row.From]
	}
	if n := e.GivesUp(); n != givesUp {
		return none, fmt.Errorf("%w: %d recorded positions would be, from %d to %d", ErrGivesUp, n, e.From+1, e.From+n)
	}
	if e, err = proofs.SignEpochStart(l.Keys, e); err != nil {
		return none, err
	}
	if err := proofs.AddStatement(l.File, e.Note, l.Keys.Verifiers()); err != nil {
		return none, err
	}
	return e, history.SignEpoch(ctx, l.Pool, epoch, e.Note)
}

func (l Ledger) row(ctx context.Context, epoch int) (history.Epoch, error) {
	all, err := history.Epochs(ctx, l.Pool)
	if err != nil {
		return history.Epoch{}, err
	}
	for _, e := range all {
		if e.Number == epoch {
			return e, nil
		}
	}
	return history.Epoch{}, history.ErrNoEpoch
}

func (l Ledger) now() time.Time {
	if l.Clock != nil {
		return l.Clock().UTC()
	}
	return clock.System().UTC()
}
