package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Run replays from the events alone and reads all of them twice: first to find those that concern the subject, then to
// fold their streams from the beginning, since a stream may begin before it concerns the subject. It fails with
// ErrUnknown, and with a *history.ArchivedError if events are archived.
func Run(ctx context.Context, pool *pgxpool.Pool, opt Options) (State, error) {
	r, err := begin(opt)
	if err != nil {
		return State{}, err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return State{}, err
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, reading, func(tx pgx.Tx) error {
		to, err := end(ctx, tx, opt.Until)
		if err != nil || to == 0 {
			return err
		}
		return r.scan(ctx, tx.Conn(), to)
	})
	if err != nil {
		return State{}, err
	}
	return r.finish()
}

// reading are the options of replays' transactions: one snapshot, read only.
var reading = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// end is the last position to read: the one asked for, or the head. It fails beyond the head.
func end(ctx context.Context, tx pgx.Tx, until Until) (int64, error) {
	var head int64
	if err := tx.QueryRow(ctx, "SELECT pos FROM ledger_head").Scan(&head); err != nil {
		return 0, err
	}
	if until.Position > head {
		return 0, fmt.Errorf("there is no position %d: the ledger ends at %d", until.Position, head)
	}
	if until.Position > 0 {
		return until.Position, nil
	}
	return head, nil
}

// scan reads twice up to where the replay ends. Events that were recorded too late are skipped: a scan that is ended
// from here takes its connection with it.
func (r *replaying) scan(ctx context.Context, conn *pgx.Conn, to int64) error {
	err := history.Scan(ctx, conn, 1, to, func(records []event.Record) error {
		for i := range records {
			if r.late(records[i].RecordedAt) {
				break
			}
			if err := r.find(&records[i]); err != nil {
				return err
			}
		}
		r.progress(records[len(records)-1].Pos, to)
		return nil
	})
	if err != nil {
		return err
	}
	return history.ScanFacts(ctx, conn, 1, to, func(facts []history.Fact) error {
		for i := range facts {
			f := &facts[i]
			if r.late(f.RecordedAt) {
				break
			}
			if s := r.streams[f.Stream]; s != nil && r.counts(f.EffectiveAt) {
				if err := s.Folded.fold(f); err != nil {
					return err
				}
			}
		}
		r.progress(to+facts[len(facts)-1].Pos, to)
		return nil
	})
}

// progress reports how much of the two readings is done.
func (r *replaying) progress(read, to int64) {
	if r.opt.Progress != nil {
		r.opt.Progress(read/2, to)
	}
}

// late reports whether something was recorded after the replay ends.
func (r *replaying) late(recorded time.Time) bool {
	return !r.opt.Recorded.IsZero() && recorded.After(r.opt.Recorded)
}

// find takes an event of the first reading.
func (r *replaying) find(e *event.Record) error {
	r.state.Position, r.state.Recorded = e.Pos, e.RecordedAt
	if !r.counts(e.EffectiveAt) || !r.mayConcern(e) {
		return nil
	}
	m, err := e.Message()
	if err != nil {
		return fmt.Errorf("position %d: %w", e.Pos, err)
	}
	if !r.concerns(e, m) {
		return nil
	}
	if _, err := r.stream(e.Stream); err != nil {
		return fmt.Errorf("position %d: %w", e.Pos, err)
	}
	return r.take(e, m)
}
