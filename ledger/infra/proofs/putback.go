package proofs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"
)

// statements adds to this process's file the signed statements that another process has in its own file. It looks for
// them at the first look, and when the file has nothing about the ledger's epoch. If the file is missing it adds none:
// a missing file must not be replaced unnoticed.
func (s *Sealer) statements(ctx context.Context, tx pgx.Tx, epoch int) error {
	if _, signed := s.file.Start(epoch); s.file.Empty() || s.looked && (epoch == 1 || signed) {
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT statement FROM ledger_epochs WHERE statement <> '' UNION ALL SELECT statement FROM ledger_closed")
	if err != nil {
		return fmt.Errorf("proofs: read statements: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("proofs: read statements: %w", err)
	}
	for _, signed := range all {
		known := Kept{Epochs: slices.Clone(s.file.Epochs), Closings: slices.Clone(s.file.Closings)}
		if _, err := known.take(signed, s.keys.Verifiers()); err != nil {
			continue // Nobody signed it, or the file has it.
		}
		if len(known.Epochs)+len(known.Closings) > len(s.file.Epochs)+len(s.file.Closings) {
			if err := s.file.add(nil, signed); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacks returns the checkpoints that the file holds, or this sealer signed, and that are missing from the database,
// smallest first: a crash came between the two writes, or somebody removed them. The first look compares all; later
// looks compare only the last.
func (s *Sealer) lacks(ctx context.Context, tx pgx.Tx, latest Checkpoint) ([]Checkpoint, error) {
	if s.looked || s.opt.File == "" {
		if known := s.known(); known.Size > latest.Size {
			return []Checkpoint{known}, nil
		}
		return nil, nil
	}
	kept, err := KeptSizes(s.opt.File)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	first := slices.Min(slices.Collect(maps.Keys(kept)))
	rows, err := tx.Query(ctx, "SELECT size FROM ledger_checkpoints WHERE size >= $1", first)
	if err != nil {
		return nil, fmt.Errorf("proofs: read checkpoints: %w", err)
	}
	var size int64
	if _, err := pgx.ForEachRow(rows, []any{&size}, func() error { delete(kept, size); return nil }); err != nil {
		return nil, fmt.Errorf("proofs: read checkpoints: %w", err)
	}
	if len(kept) == 0 {
		return nil, nil
	}
	all, err := ReadFile(s.opt.File, s.keys.Verifiers()) // Verified, which takes long.
	if err != nil {
		return nil, err
	}
	lacked := slices.DeleteFunc(all.Checkpoints, func(c Checkpoint) bool { return !kept[c.Size] || !all.Stands(c) })
	slices.SortFunc(lacked, func(a, b Checkpoint) int { return int(a.Size - b.Size) })
	return lacked, nil
}

// known is the last checkpoint that the file or this sealer has.
func (s *Sealer) known() (last Checkpoint) {
	for _, c := range []Checkpoint{s.file.Last, s.signed} {
		if s.file.Stands(c) && c.Size > last.Size {
			last = c
		}
	}
	return last
}

// putBack stores a signed checkpoint that is missing, if the events still have its root, and answers the latest one
// then.
func (s *Sealer) putBack(ctx context.Context, tx pgx.Tx, latest, lacked Checkpoint) (Checkpoint, error) {
	var (
		root tlog.Hash
		err  error
	)
	if lacked.Size > latest.Size {
		var tree *Tree
		if tree, err = s.grow(ctx, tx, latest, lacked.Size); err == nil {
			root, err = tree.Root()
		}
	} else {
		root, err = tlog.TreeHash(lacked.Size, hashes(ctx, tx, latest.Size, latest.Root))
	}
	if err != nil {
		return latest, err
	}
	if root != lacked.Root {
		return latest, fmt.Errorf("%w: the checkpoint of size %d in the checkpoint file has another root than the events", ErrInconsistent, lacked.Size)
	}
	lacked.SealedAt = s.opt.Clock().UTC().Truncate(time.Microsecond)
	if err := insertCheckpoint(ctx, tx, lacked); err != nil || lacked.Size < latest.Size {
		return latest, err
	}
	return lacked, nil
}
