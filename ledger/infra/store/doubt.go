package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"adashi.ng/ledger/base/fault"
)

// progress is how far a command has come. Its caller may give it up until it is sent.
type progress struct{ atomic.Int32 }

const (
	queued int32 = iota
	taken        // By the appender.
	sent         // It may be on its way to the database, or others were decided behind it.
	given        // Its caller got the answer that nothing was taken.
)

func (p *progress) to(from, to int32) bool { return p.CompareAndSwap(from, to) }

// giveUp answers true if the command was not sent and never will be.
func (w *waiting) giveUp() bool {
	return w.progress.to(queued, given) || w.progress.to(taken, given)
}

// tell answers the caller, unless the caller has an answer.
func (w *waiting) tell(a answer) {
	select {
	case w.answer <- a:
	default:
	}
}

var errGivenUp = errors.New("store: a caller gave up")

// send marks a batch as sent. It answers false if a caller gave up before.
func send(batch []*waiting) bool {
	all := true
	for _, w := range batch {
		all = (w.progress.to(taken, sent) || w.progress.Load() == sent) && all
	}
	return all
}

// inHand takes a batch of which nothing was written and returns the commands whose callers have not given up.
func inHand(batch []*waiting) []*waiting {
	left := batch[:0:0]
	for _, w := range batch {
		w.progress.to(sent, taken)
		if w.progress.Load() == taken {
			left = append(left, w)
		}
	}
	return left
}

// refuse answers the callers of batches of which nothing was written.
func refuse(batches [][]*waiting, why *fault.Fault) {
	for _, batch := range batches {
		for _, w := range batch {
			w.tell(answer{err: why})
		}
	}
}

// settle finds out whether a batch was committed when the commit was not answered, and writes the batch if it was not.
// It first takes the head's lock, which shows that the lost transaction has ended, committed or not. If that takes too
// long, the callers get ErrUnknown; a retry under the lock later finds what was recorded. It answers whether the
// outcome is known.
func (s *Store) settle(batch []*waiting, cause error) bool {
	slog.Error("ledger: a commit was not answered; looking its commands up", "commands", len(batch), "error", cause)
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.Doubt)
	defer cancel()
	for {
		err := s.try(ctx, &batch, true, true)
		if err == nil {
			s.reply(batch)
			return true
		}
		if errors.Is(err, ErrConstraint) {
			return s.commit(batch) // The lost transaction has ended, and something in the batch cannot be written.
		}
		slog.Error("ledger: still not known", "error", err)
		pause := time.NewTimer(retryPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			for _, w := range batch {
				w.outcome = answer{err: fmt.Errorf("%w: %w", ErrUnknown, cause)}
			}
			s.reply(batch)
			return false
		}
	}
}
