package witness

import (
	"log/slog"
	"net/http"

	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/infra/proofs"
)

// PathEpoch is the path at which our witnesses accept the ledger's signed statement that an epoch began. The
// specification has no such path: to other witnesses each epoch's origin is a log of its own.
const PathEpoch = "/add-epoch"

// begins answers a statement that an epoch began. A witness accepts one statement for each epoch.
func (s *Server) begins(signed string) answer {
	e, err := proofs.ParseEpochStart(signed, s.verifiers())
	if err != nil {
		return refused(http.StatusForbidden, "this is no statement that a key signed which this witness knows")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	origin := e.Origin()
	last := s.last[origin]
	if last.Start == e.Note {
		return answer{status: http.StatusOK}
	}
	if last.Start != "" || last.Size > 0 {
		slog.Error("THE LEDGER SIGNED TWO STARTS OF ONE EPOCH: keep both", "origin", origin, "first", last.Start, "second", e.Note)
		return refused(http.StatusConflict, "another statement of this epoch was taken before")
	}
	if err := s.keep(origin, seen{Start: e.Note}); err != nil {
		slog.Error("the state is not on the disk", "error", err)
		return refused(http.StatusInternalServerError, "the witness could not keep the statement")
	}
	return answer{status: http.StatusOK}
}

// before is the tree that a checkpoint has to continue: the last signed one of its origin or, if it is the first of its
// epoch, the last one of an earlier epoch. If the ledger's key signed that tree as given up, it is the tree of the size
// at which the epoch began. Every checkpoint continues the zero tree.
func (s *Server) before(c proofs.Checkpoint) (seen, answer) {
	own := s.last[c.Origin]
	earlier, epoch := seen{}, -1
	for origin, last := range s.last {
		other, err := proofs.ParseText(textOf(last.Note))
		switch {
		case last.Size == 0 || err != nil || other.Ledger() != c.Ledger():
		case other.Epoch > c.Epoch:
			return own, refused(http.StatusForbidden, "this witness has signed a later epoch of this ledger, "+origin)
		case other.Epoch < c.Epoch && other.Epoch > epoch:
			earlier, epoch = last, other.Epoch
		}
	}
	if own.Size > 0 || epoch < 0 {
		return own, answer{}
	}
	if own.Start == "" {
		return own, refused(http.StatusPreconditionRequired, "the ledger's signed statement that this epoch began is needed first, at "+PathEpoch)
	}
	return s.parted(c, earlier, epoch)
}

// parted is the tree at which a checkpoint's epoch parts from the last checkpoint of an earlier one.
func (s *Server) parted(c proofs.Checkpoint, earlier seen, epoch int) (seen, answer) {
	from := seen{Size: earlier.Size, Root: earlier.Root, Note: earlier.Note}
	for origin, last := range s.last {
		e, err := proofs.ParseEpochStart(last.Start, s.verifiers())
		if err != nil || origin != e.Origin() || e.Ledger() != c.Ledger() || e.Epoch <= epoch || e.Epoch > c.Epoch || e.From >= from.Size {
			continue
		}
		isTheSame := e.Lost.Size != earlier.Size || e.Lost.Epoch != epoch || e.Lost.Root == earlier.Root
		if e.From+e.GivesUp() < earlier.Size || !isTheSame {
			slog.Error("WHAT THIS WITNESS SIGNED IS NOT GIVEN UP: keep both", "signed", earlier.Note, "statement", e.Note)
			return from, refused(http.StatusUnprocessableEntity, "the statement of this epoch does not give up what this witness signed")
		}
		from = seen{Size: e.From, Root: e.Root, Note: e.Note}
	}
	return from, answer{}
}

func (s *Server) verifiers() (all []note.Verifier) {
	for _, key := range s.opt.Logs {
		all = append(all, key.Verifier())
	}
	return all
}
