package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Steps are the events that concern a subject, in order: at most limit after a position or, with back, before it, where
// position 0 means the end. Each step has the balances that the event leaves in the subject's own accounts that it
// moved. It fails as At does, and with ErrHouse for an account of the house.
func (r *Reader) Steps(ctx context.Context, s Subject, from int64, limit int, back bool) ([]Step, error) {
	f := &following{reader: r}
	var err error
	if f.replaying, err = begin(Options{Subject: s, Aggregates: r.Aggregates}); err != nil {
		return nil, err
	}
	var steps []Step
	err = pgx.BeginTxFunc(ctx, r.Pool, reading, func(tx pgx.Tx) error {
		if err := f.open(ctx, tx); err != nil || f.to == 0 {
			return err
		}
		if f.owner.kind == 0 {
			return ErrHouse
		}
		if back {
			steps, err = f.stepsBack(ctx, from, limit)
		} else {
			steps, err = f.stepsOn(ctx, from, limit)
		}
		return err
	})
	return steps, err
}

// stepsOn are the first steps after a position.
func (f *following) stepsOn(ctx context.Context, after int64, limit int) (steps []Step, err error) {
	for more := true; more && len(steps) < limit; {
		var found []Step
		if found, after, more, err = f.stepsAt(ctx, after, f.reached, limit-len(steps), false); err != nil {
			return nil, err
		}
		steps = append(steps, found...)
	}
	for from := max(after, f.reached) + 1; from <= f.to && len(steps) < limit; from += batchMost {
		err := f.each(ctx, from, min(f.to, from+batchMost-1), func(records []event.Record) error {
			found, err := f.steps(ctx, records)
			steps = append(steps, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return steps[:min(limit, len(steps))], nil
}

// stepsBack are the last steps before a position.
func (f *following) stepsBack(ctx context.Context, before int64, limit int) (steps []Step, err error) {
	if before <= 0 || before > f.to+1 {
		before = f.to + 1
	}
	for before-1 > f.reached && len(steps) < limit {
		from := max(f.reached+1, before-batchMost)
		err := f.each(ctx, from, before-1, func(records []event.Record) error {
			found, err := f.steps(ctx, records)
			steps = append(found, steps...)
			return err
		})
		if err != nil {
			return nil, err
		}
		before = from
	}
	for more := true; more && len(steps) < limit; {
		var found []Step
		if found, before, more, err = f.stepsAt(ctx, 0, before-1, limit-len(steps), true); err != nil {
			return nil, err
		}
		steps = append(found, steps...)
	}
	return steps[max(0, len(steps)-limit):], nil
}

// stepsAt are the steps at the next marks, the position of the last mark, and whether there may be more.
func (f *following) stepsAt(ctx context.Context, after, to int64, limit int, back bool) (found []Step, at int64, more bool, err error) {
	limit = min(limit, batchMost)
	positions, _, err := f.reader.Trail.Marks(ctx, f.tx, f.owner.kind.String(), f.owner.id, after, to, limit, back)
	if err != nil || len(positions) == 0 {
		return nil, after, false, err
	}
	records, err := f.readAt(ctx, positions)
	if err == nil {
		found, err = f.steps(ctx, records)
	}
	return found, positions[len(positions)-1], len(positions) == limit, err
}

// steps are the steps of those of the events that concern the subject.
func (f *following) steps(ctx context.Context, records []event.Record) (steps []Step, err error) {
	if err := f.learnPools(ctx, records); err != nil {
		return nil, err
	}
	for i := range records {
		e := &records[i]
		if !f.mayConcern(e) {
			continue
		}
		m, err := e.Message()
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", e.Pos, err)
		}
		if !f.concerns(e, m) {
			continue
		}
		f.learn(m)
		step := Step{Record: e, Message: m, Balances: map[string]money.Kobo{}}
		for _, line := range e.Lines {
			if f.owns(line.Account) {
				step.Balances[line.Account] = line.Balance
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// learnPools finds which of the pools that some events move are the group's: earlier events may have said so.
func (f *following) learnPools(ctx context.Context, records []event.Record) error {
	if f.kind != group {
		return nil
	}
	var opened []history.Stretch
	for i := range records {
		for _, line := range records[i].Lines {
			account := strings.TrimPrefix(line.Account, "held:")
			if _, known := f.accounts[account]; !known && strings.HasPrefix(account, "pool:") {
				f.accounts[account] = false
				opened = append(opened, history.Stretch{Stream: "sub:" + strings.TrimPrefix(account, "pool:"), From: 1, To: 1})
			}
		}
	}
	if len(opened) == 0 {
		return nil
	}
	first, err := history.ReadStretches(ctx, f.tx, opened, f.to)
	for i := range first {
		m, err := first[i].Message()
		if err != nil {
			return fmt.Errorf("position %d: %w", first[i].Pos, err)
		}
		if sub, ok := m.(*nairav1.SubAccountOpened); ok {
			f.accounts["pool:"+sub.GetSubAccountId()] = sub.GetGroupId() == f.id
		}
	}
	return err
}

// readAt reads the events at positions, and may leave out those that do not count. It fails if one is archived.
func (f *following) readAt(ctx context.Context, positions []int64) (records []event.Record, err error) {
	by := f.opt.Effective
	if len(positions) > 0 && !by.IsZero() {
		if err := f.archived(ctx, positions[0]-1, positions[len(positions)-1]); err != nil {
			return nil, err
		}
	}
	if err := history.ScanAt(ctx, f.tx, positions, by.Truncate(time.Microsecond), func(more []event.Record) error {
		records = append(records, more...)
		return nil
	}); err != nil || len(records) == len(positions) || !by.IsZero() {
		return records, err
	}
	here := map[int64]bool{}
	for i := range records {
		here[records[i].Pos] = true
	}
	missing := positions[slices.IndexFunc(positions, func(pos int64) bool { return !here[pos] })]
	if err := f.archived(ctx, missing-1, missing); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("position %d: the trail names an event that is not here", missing)
}
