package audit

import (
	"context"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/proofs"
)

// epoch is a row of the table of epochs.
type epoch struct {
	Number       int
	From         int64 // The head when it began.
	StreamLast   int64 // The last position in the stream that was given up.
	Reason       string
	Acknowledged string
}

func readEpochs(ctx context.Context, s *snapshot) ([]epoch, error) {
	if !s.tables["ledger_epochs"] {
		return nil, nil
	}
	rows, err := s.side.Query(ctx, "SELECT epoch, from_pos, stream_last, reason, acknowledged FROM ledger_epochs ORDER BY epoch")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[epoch])
}

// givenUp reports whether a checkpoint is of a history that the ledger no longer has: it was signed in an epoch that
// was left behind at a smaller head.
func givenUp(epochs []epoch, c proofs.Checkpoint) bool {
	for _, e := range epochs {
		if e.Number > c.Epoch && e.From < c.Size {
			return true
		}
	}
	return false
}

// verifyEpochs holds that whatever was lost when an epoch began has been settled by people.
func verifyEpochs(s *snapshot, epochs []epoch, c *Check) {
	if !s.tables["ledger_epochs"] {
		c.Skipped = "this ledger's tables know of no epochs yet"
		return
	}
	for _, e := range epochs {
		c.Looked++
		switch {
		case e.Number > s.epoch:
			c.Violate(0, "ledger_head", "The ledger is in epoch %d, and epoch %d was begun.", s.epoch, e.Number)
		case e.StreamLast > e.From && e.Acknowledged == "":
			c.Violate(e.From+1, "", "Epoch %d began at position %d after the stream had told of positions up to %d: what was lost is not acknowledged. Settle it, then: adashi ledger epoch acknowledge %d --note TEXT.",
				e.Number, e.From, e.StreamLast, e.Number)
		}
	}
}
