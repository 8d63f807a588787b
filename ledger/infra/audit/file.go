package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
)

// outside is what the checkpoint file holds against the database. The rule is the sealer's: the database has everything
// that the file knows of, and the file every checkpoint since it began.
type outside struct {
	path  string
	kept  proofs.Kept      // Read before the snapshot: whatever it holds was there.
	bases proofs.Baselines // As kept.
	wrong error            // Why it cannot be believed.
	check *Check
	first int64          // The smallest size that the file has.
	rows  map[int64]bool // The sizes of the database's checkpoints, from the first on.
	more  bool           // The database has a checkpoint.
}

// openOutside reads the file.
func openOutside(opt Options) *outside {
	o := &outside{path: opt.File, rows: map[int64]bool{}}
	if opt.File != "" {
		o.kept, o.wrong = proofs.ReadFile(opt.File, opt.Keys.Verifiers())
		if errors.Is(o.wrong, fs.ErrNotExist) {
			o.wrong = nil
		}
		var err error
		if o.bases, err = proofs.ReadBaselines(opt.File, opt.Keys.Verifiers()); o.wrong == nil {
			o.wrong = err
		}
	}
	for i, c := range o.kept.Checkpoints {
		if i == 0 || c.Size < o.first {
			o.first = c.Size
		}
	}
	return o
}

// row hears of a checkpoint of the database. There are far more of them than the file keeps.
func (o *outside) row(c proofs.Checkpoint) {
	o.more = true
	if o.first > 0 && c.Size >= o.first {
		o.rows[c.Size] = true
	}
}

// standing are the file's checkpoints that no signed epoch gave up, the smaller ones first.
func (o *outside) standing() []proofs.Checkpoint {
	all := slices.DeleteFunc(slices.Clone(o.kept.Checkpoints), func(c proofs.Checkpoint) bool { return !o.kept.Stands(c) })
	slices.SortFunc(all, func(a, b proofs.Checkpoint) int { return int(a.Size - b.Size) })
	return all
}

// source yields the file's roots that the events must have.
func (o *outside) source() source {
	all, at := o.standing(), 0
	return func() (expected, bool) {
		if at == len(all) || o.wrong != nil {
			return expected{}, false
		}
		at++
		return expected{all[at-1].Size, all[at-1].Root, fmt.Sprintf("The file's checkpoint of epoch %d", all[at-1].Epoch), o.check}, true
	}
}

// against holds the file against where the snapshot stands.
func (o *outside) against(ctx context.Context, s *snapshot, opt Options) error {
	c := o.check
	switch {
	case opt.File == "":
		c.Skipped = "this installation keeps no checkpoint file"
		return nil
	case o.wrong != nil:
		c.Violate(0, opt.File, "The checkpoint file cannot be believed: %v.", o.wrong)
		return nil //nolint:nilerr // It is a violation, and the other checks go on.
	case o.kept.Empty() && s.sealed == 0 && s.epoch == 1 && (s.head == 0 || !s.tables["ledger_baselines"]):
		c.Skipped = "nothing is sealed yet"
		return nil
	}
	if o.kept.Last.Size == 0 && s.sealed == 0 && s.head > 0 && s.tables["ledger_baselines"] {
		err := o.kept.MayBegin(ctx, s.side, o.bases, s.epoch, opt.Clock())
		if err != nil && !errors.Is(err, proofs.ErrInconsistent) {
			return err
		}
		if err != nil {
			c.Violate(0, opt.File, "%s.", capital(err))
		} else if s.epoch == 1 {
			c.Skipped = "nothing is sealed yet"
		}
	}
	latest, err := s.latest(ctx, opt.Keys)
	if err != nil {
		return err
	}
	if o.kept.Empty() && latest.Size > 0 {
		if now, err := proofs.ReadFile(opt.File, opt.Keys.Verifiers()); err == nil && !now.Empty() {
			return nil // The first checkpoint came between the two looks.
		}
	}
	for _, wrong := range o.kept.Against(s.epoch, s.head, latest) {
		c.Violate(0, opt.File, "%s.", capital(wrong))
	}
	return nil
}

// latest is the latest checkpoint whose row is what was signed; of size 0 when there is none.
func (s *snapshot) latest(ctx context.Context, keys proofs.Keys) (latest proofs.Checkpoint, err error) {
	if !s.tables["ledger_checkpoints"] {
		return latest, nil
	}
	var note string
	err = s.side.QueryRow(ctx, "SELECT note FROM ledger_checkpoints ORDER BY size DESC LIMIT 1").Scan(&note)
	if errors.Is(err, pgx.ErrNoRows) {
		return latest, nil
	}
	if err != nil {
		return latest, err
	}
	if latest, err = proofs.ParseCheckpoint(note, keys.Verifiers()); err != nil {
		return proofs.Checkpoint{}, nil //nolint:nilerr // The check of the checkpoints says so.
	}
	return latest, nil
}

// rowWait is how long a checkpoint of the file may take to be in the database too: a sealer writes it there next.
const rowWait = 3 * time.Second

// rowsMatch holds that every checkpoint of the file is a row, and every row since the file began is in the file.
func (o *outside) rowsMatch(ctx context.Context, opt Options) error {
	if o.wrong != nil || opt.File == "" || o.kept.Empty() {
		return nil //nolint:nilerr // It is a violation already.
	}
	kept, missing, err := o.lacks(ctx)
	if err != nil {
		o.check.Violate(0, opt.File, "The checkpoint file cannot be read any more: %v.", err)
		return nil
	}
	for _, size := range missing {
		o.check.Violate(size, opt.File, "The database has a signed checkpoint of size %d and the file has not: it was shortened, or is another ledger's.", size)
	}
	if len(kept) == 0 && len(o.kept.Epochs) == 0 && o.more {
		o.check.Violate(0, opt.File, "The file has no checkpoint, and the database has some.")
	}
	all := o.standing()
	for i, c := range all {
		if o.rows[c.Size] {
			continue
		}
		if i == len(all)-1 { // The sealer may be between the two.
			if came, err := o.comes(ctx, opt, c); err != nil || came {
				return err
			}
		}
		o.check.Violate(c.Size, "ledger_checkpoints", "The file has a checkpoint of size %d and the database has not: it was removed.", c.Size)
	}
	return nil
}

// lacks reads the file again, which then has whatever the snapshot has, and answers its sizes and those that it lacks
// since it began. Another process's sealer may be about to bring them.
func (o *outside) lacks(ctx context.Context) (kept map[int64]bool, missing []int64, err error) {
	for waited := clock.Start(); ; {
		if kept, err = proofs.KeptSizes(o.path); err != nil || len(kept) == 0 {
			return kept, nil, err
		}
		first := slices.Min(slices.Collect(maps.Keys(kept))) // A full one may have begun anew meanwhile.
		missing = nil
		for _, size := range slices.Sorted(maps.Keys(o.rows)) {
			if size >= first && !kept[size] {
				missing = append(missing, size)
			}
		}
		if len(missing) == 0 || waited.Took() > rowWait {
			return kept, missing, nil
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(rowWait / 30):
		}
	}
}

// comes waits for a checkpoint of the file to be in the database.
func (o *outside) comes(ctx context.Context, opt Options, c proofs.Checkpoint) (there bool, err error) {
	for waited := clock.Start(); ; {
		err := opt.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM ledger_checkpoints WHERE size = $1 AND root = $2)", c.Size, c.Root[:]).Scan(&there)
		if err != nil || there || waited.Took() > rowWait {
			return there, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(rowWait / 30):
		}
	}
}

// sealedTo is the size up to which there must be tiles.
func (o *outside) sealedTo(s *snapshot) int64 {
	sealed := s.sealed
	all := o.standing()
	for _, c := range all[:max(0, len(all)-1)] { // The sealer may not have written those of the last yet.
		if c.Size <= s.head {
			sealed = max(sealed, c.Size)
		}
	}
	return sealed
}

// verifyEpochs holds that the rows of epochs are what was signed, and says for ever what was lost.
func (o *outside) verifyEpochs(ctx context.Context, s *snapshot, r *Report, c *Check) error {
	rows, err := s.epochs(ctx)
	if err != nil {
		return err
	}
	for _, e := range rows {
		c.Looked++
		start, signed := o.kept.Start(e.Number)
		switch {
		case e.Number > s.epoch:
			c.Violate(0, "ledger_epochs", "The ledger is in epoch %d, and there is a row of epoch %d.", s.epoch, e.Number)
		case e.Number == s.epoch && !signed:
			c.Violate(e.From+1, "ledger_epochs", "Epoch %d began after position %d and the ledger's key did not sign that: settle what was lost, then adashi ledger epoch acknowledge %d.", e.Number, e.From, e.Number)
		case signed && (e.From != start.From || e.Statement != start.Note):
			c.Violate(start.From+1, "ledger_epochs", "The row of epoch %d is not what was signed.", e.Number)
		}
	}
	for _, e := range o.kept.Epochs {
		if !slices.ContainsFunc(rows, func(row history.Epoch) bool { return row.Number == e.Epoch }) {
			c.Violate(e.From+1, "ledger_epochs", "The file says that epoch %d began after position %d, and the database says nothing of it.", e.Epoch, e.From)
		}
		lost := "Nothing that was recorded is known to be lost."
		if n := e.GivesUp(); n > 0 {
			lost = fmt.Sprintf("%d recorded positions, from %d to %d, were lost.", n, e.From+1, e.From+n)
		}
		r.note("Epoch %d began after position %d, as was signed at %s: %s %s", e.Epoch, e.From, e.At.Format(time.RFC3339), e.Reason, lost)
	}
	if s.epoch > 1 && !slices.ContainsFunc(rows, func(row history.Epoch) bool { return row.Number == s.epoch }) {
		c.Violate(0, "ledger_gate", "The ledger is in epoch %d, and nothing says how that began.", s.epoch)
	}
	if len(rows) == 0 && s.epoch == 1 && c.Violations == 0 {
		c.Skipped = "the ledger is in its first epoch"
	}
	return nil
}

func (s *snapshot) epochs(ctx context.Context) ([]history.Epoch, error) {
	rows, err := s.side.Query(ctx, "SELECT epoch, from_pos, statement FROM ledger_epochs ORDER BY epoch")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e history.Epoch, err error) {
		return e, row.Scan(&e.Number, &e.From, &e.Statement)
	})
}

// capital is an error as a sentence begins.
func capital(err error) string {
	text := []rune(err.Error())
	if len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' {
		text[0] -= 'a' - 'A'
	}
	return string(text)
}
