package audit

import (
	"context"
	"fmt"
	"math"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Follower verifies records that are not in a database, from position 1 on, by the rules that need only events:
// positions, times, versions, messages, postings, balances, transitions, bank references, and that each command's
// events are consecutive. It is for records that are about to be restored.
type Follower struct {
	report *Report
	walk   *walk
	worker worker
}

// NewFollower makes a follower that has seen nothing.
func NewFollower() *Follower {
	s := &snapshot{head: math.MaxInt64, parts: []part{{"events", math.MinInt64, math.MaxInt64}}}
	r := &Report{max: 1}
	return &Follower{report: r, walk: newWalk(s, r, newMerkle(s))}
}

// Add takes the next records. Its error is the first violation.
func (f *Follower) Add(ctx context.Context, records []event.Record) error {
	rows := make([]judged, len(records))
	for i := range records {
		rows[i] = f.worker.judgeRow(&history.Row{Record: records[i]})
		rows[i].Leaf = rows[i].leaf[:]
	}
	if err := f.walk.add(ctx, rows); err != nil {
		return err
	}
	if f.report.Violations() == 0 {
		return nil
	}
	for _, c := range f.report.Checks {
		for _, v := range c.Listed {
			return fmt.Errorf("%s: %s", c.Name, v)
		}
	}
	return nil
}
