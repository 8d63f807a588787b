package audit

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
)

// pageOfCheckpoints is how many are read, and their signatures verified, at a time.
const pageOfCheckpoints = 1000

// stored is a row of the table of checkpoints.
type stored struct {
	Size  int64
	Epoch int
	Root  []byte
	Note  string
}

// storedCheckpoints yields the signed roots in the database, in order, and compares each row with its signed note. It
// calls each with every row that agrees.
func storedCheckpoints(ctx context.Context, s *snapshot, keys proofs.Keys, c *Check, each func(proofs.Checkpoint), failed *error) source {
	var page []stored
	var signed []proofs.Checkpoint
	var wrong []error
	after, at := int64(0), 0
	return func() (expected, bool) {
		for {
			for ; at < len(page); at++ {
				row := page[at]
				if wrong[at] != nil {
					c.Looked++
					c.Violate(row.Size, "", "The stored checkpoint of size %d is not what was signed: %v.", row.Size, wrong[at])
					continue
				}
				at++
				each(signed[at-1])
				return expected{row.Size, signed[at-1].Root, "The checkpoint", c}, true
			}
			if !s.tables["ledger_checkpoints"] || *failed != nil {
				return expected{}, false
			}
			page, at = nil, 0
			s.damaged, *failed = spare(ctx, s.side, func() error {
				rows, err := s.side.Query(ctx, "SELECT size, epoch, root, note FROM ledger_checkpoints WHERE size > $1 ORDER BY size LIMIT $2", after, pageOfCheckpoints)
				if err == nil {
					page, err = pgx.CollectRows(rows, pgx.RowToStructByPos[stored])
				}
				return err
			})
			if *failed != nil || len(page) == 0 {
				return expected{}, false
			}
			after = page[len(page)-1].Size
			signed, wrong = verifyPage(page, keys)
		}
	}
}

// verifyPage verifies the signatures of a page, several at a time.
func verifyPage(page []stored, keys proofs.Keys) ([]proofs.Checkpoint, []error) {
	signed, wrong := make([]proofs.Checkpoint, len(page)), make([]error, len(page))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for n := range workers {
		wg.Go(func() {
			for i := n; i < len(page); i += workers {
				row := page[i]
				if signed[i], wrong[i] = proofs.ParseCheckpoint(row.Note, keys.Verifiers()); wrong[i] != nil {
					continue
				}
				if signed[i].Size != row.Size || signed[i].Epoch != row.Epoch || !bytes.Equal(signed[i].Root[:], row.Root) {
					wrong[i] = errors.New("the row says something else than its note")
				}
			}
		})
	}
	wg.Wait()
	return signed, wrong
}

// proofsTried is how many random proofs of each kind are made.
const proofsTried = 16

// randomProofs makes proofs as a member would ask for them, and verifies them as their browser would.
func randomProofs(ctx context.Context, s *snapshot, opt Options, c *Check) error {
	if s.sealed == 0 || !s.tables["ledger_checkpoints"] {
		c.Skipped = "nothing is sealed yet, or the latest checkpoint cannot be read"
		return nil
	}
	reader := proofs.NewReader(opt.Pool, opt.Keys)
	for range proofsTried {
		pos := 1 + rand.Int64N(s.sealed)
		if s.absent(pos) {
			continue
		}
		if err := s.rows(ctx, pos, pos, func(j *judged) {
			c.Looked++
			if err := proveInclusion(ctx, reader, pos, s.sealed, j.leaf); err != nil {
				c.Violate(pos, "", "Its inclusion in the tree of size %d is not proven: %v.", s.sealed, err)
			}
		}); err != nil {
			return err
		}
		size := 1 + rand.Int64N(s.sealed)
		c.Looked++
		if err := proveConsistency(ctx, reader, size, s.sealed); err != nil {
			c.Violate(size, "", "That the tree of size %d continues the one of size %d is not proven: %v.", s.sealed, size, err)
		}
	}
	return ctx.Err()
}

func proveInclusion(ctx context.Context, reader *proofs.Reader, pos, size int64, leaf tlog.Hash) error {
	root, err := reader.Root(ctx, size)
	if err != nil {
		return err
	}
	proof, err := reader.Inclusion(ctx, pos, size)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, size, root, pos-1, leaf)
}

func proveConsistency(ctx context.Context, reader *proofs.Reader, older, newer int64) error {
	oldRoot, err := reader.Root(ctx, older)
	if err != nil {
		return err
	}
	newRoot, err := reader.Root(ctx, newer)
	if err != nil {
		return err
	}
	proof, err := reader.Consistency(ctx, older, newer)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, newer, newRoot, older, oldRoot)
}
