package sim

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// check compares the final state with everything that was promised. It answers the first broken promise.
func (w *world) check() error {
	records, err := w.disk.Read(0, 1<<20)
	if err != nil {
		return err
	}
	if int64(len(records)) != w.disk.Head() {
		return fmt.Errorf("the ledger ends at position %d and holds %d events", w.disk.Head(), len(records))
	}
	if err := w.checkRecords(records); err != nil {
		return err
	}
	if err := errors.Join(checkTotals(records), w.checkAjos(records)); err != nil {
		return err
	}
	for _, c := range w.clients {
		if err := errors.Join(c.others...); err != nil {
			return err
		}
		for _, one := range c.wishes {
			if err := w.checkWish(one, records); err != nil {
				return err
			}
		}
	}
	if err := w.checkStream(records); err != nil {
		return err
	}
	return w.checkModels(records)
}

// checkRecords is the ledger's own invariants.
func (w *world) checkRecords(records []event.Record) error {
	versions, balances := map[string]int64{}, map[string]money.Kobo{}
	var last time.Time
	for i := range records {
		r := &records[i]
		versions[r.Stream]++
		var sum money.Kobo
		for _, line := range r.Lines {
			sum += line.Amount
			balances[line.Account] += line.Amount
			if balances[line.Account] != line.Balance {
				return fmt.Errorf("position %d leaves %s at %d and says %d", r.Pos, line.Account, balances[line.Account], line.Balance)
			}
			if posting.Floored(line.Account) && line.Balance < 0 {
				return fmt.Errorf("position %d leaves %s at %d", r.Pos, line.Account, line.Balance)
			}
		}
		switch {
		case r.Pos != int64(i+1):
			return fmt.Errorf("position %d follows %d", r.Pos, i)
		case r.Version != versions[r.Stream]:
			return fmt.Errorf("position %d is version %d of %s and should be %d", r.Pos, r.Version, r.Stream, versions[r.Stream])
		case sum != 0:
			return fmt.Errorf("position %d sums to %d", r.Pos, sum)
		case r.RecordedAt.Before(last):
			return fmt.Errorf("position %d was recorded before the one before it", r.Pos)
		case r.Leaf() != w.disk.Leaf(r.Pos):
			return fmt.Errorf("position %d has another leaf", r.Pos)
		}
		last = r.RecordedAt
	}
	if err := w.disk.settle(); err != nil {
		return err
	}
	for account, kobo := range w.disk.balances {
		if balances[account] != kobo {
			return fmt.Errorf("the balance of %s is %d and its lines come to %d", account, kobo, balances[account])
		}
	}
	if len(balances) != len(w.disk.balances) {
		return fmt.Errorf("%d accounts have balances and %d have lines", len(w.disk.balances), len(balances))
	}
	return nil
}

// checkTotals compares the totals in contributions with the sums of the contributions.
func checkTotals(records []event.Record) error {
	totals := map[string]int64{}
	for i := range records {
		message, err := records[i].Message()
		if err != nil {
			return err
		}
		m, ok := message.(*nairav1.ContributionReceived)
		if !ok {
			continue
		}
		totals[records[i].Stream] += m.GetAmountKobo()
		if totals[records[i].Stream] != m.GetMemberTotalKobo() {
			return fmt.Errorf("position %d says that its member paid %d in all; it was %d", records[i].Pos, m.GetMemberTotalKobo(), totals[records[i].Stream])
		}
	}
	return nil
}

// checkWish compares a client's answers with the record.
func (w *world) checkWish(one *wish, records []event.Record) error {
	var recorded []event.Record
	moved := map[string]money.Kobo{}
	for i := range records {
		if records[i].Command != one.command.ID {
			continue
		}
		if !event.SameWish(records[i].CommandHash, one.command.Hash) {
			return fmt.Errorf("%s was recorded with another payload at position %d", one, records[i].Pos)
		}
		recorded = append(recorded, records[i])
		for _, line := range records[i].Lines {
			moved[line.Account] += line.Amount
		}
	}
	for i := range recorded {
		if recorded[i].Seq != i || recorded[i].Pos != recorded[0].Pos+int64(i) {
			return fmt.Errorf("%s was recorded twice: at positions %d and %d", one, recorded[0].Pos, recorded[i].Pos)
		}
	}
	switch {
	case one.wrong != nil:
		return one.wrong
	case one.done != nil && !same(one.done, recorded):
		return fmt.Errorf("%s was answered with %d events and %d others are recorded", one, len(one.done), len(recorded))
	case one.refused != nil && len(recorded) > 0:
		return fmt.Errorf("%s was refused (%w) and is recorded at position %d", one, one.refused, recorded[0].Pos)
	case one.done == nil && !one.unknown && len(recorded) > 0:
		return fmt.Errorf("%s was answered that nothing was taken and is recorded at position %d", one, recorded[0].Pos)
	case len(recorded) > 0 && one.moves != nil && !maps.Equal(moved, one.moves):
		return fmt.Errorf("%s should have moved %v and moved %v", one, one.moves, moved)
	case one.refused != nil && one.command.Keyed && !w.disk.Refused(one.command.ID):
		return fmt.Errorf("%s was refused under a key and the refusal is not remembered", one)
	}
	return nil
}

// checkStream compares every message of the stream with its event. A stream is given up only when commits were lost.
func (w *world) checkStream(records []event.Record) error {
	if raised := int32(w.disk.Epoch() - 1); raised > w.failovers.Load() {
		return fmt.Errorf("the epoch was raised %d times and the ledger lost commits %d times", raised, w.failovers.Load())
	}
	messages := w.bus.Messages(w.disk.Epoch(), 0, len(records)+1)
	if len(messages) != len(records) {
		return fmt.Errorf("the stream holds %d messages of %d", len(messages), len(records))
	}
	for i := range records {
		if !bytes.Equal(messages[i], records[i].Encode()) {
			return fmt.Errorf("message %d is not its event", i+1)
		}
	}
	return nil
}

// checkModels compares every model with a fresh fold.
func (w *world) checkModels(records []event.Record) error {
	var fresh State
	for i := range records {
		fresh = fresh.Fold(&records[i])
	}
	for n, m := range w.models {
		if m.state.Events != fresh.Events || m.state.Digest != fresh.Digest || !maps.Equal(m.state.Balances, fresh.Balances) {
			return fmt.Errorf("model %d holds %d events and is not the fold of the %d there are", n, m.state.Events, fresh.Events)
		}
	}
	return nil
}

// report counts what happened.
func (w *world) report() Report {
	out := Report{Events: int(w.disk.Head()), Crashes: w.weather.Crashes(), Types: map[string]int{}, Epoch: w.disk.Epoch()}
	digest := sha256.New()
	for _, pos := range slices.Sorted(maps.Keys(w.disk.rows)) {
		r := w.disk.rows[pos].record
		digest.Write(r.Encode())
		out.Types[r.Type]++
	}
	for _, c := range w.clients {
		for _, one := range c.wishes {
			switch {
			case one.done != nil:
				out.Done++
			case one.refused != nil:
				out.Refused++
			case one.failed:
				out.Failed++
			}
			if one.unknown {
				out.Unknown++
			}
			fmt.Fprintln(digest, one, one.done != nil, one.refused, one.unknown)
		}
	}
	out.History = [32]byte(digest.Sum(nil))
	return out
}

// Add counts another run in; Epoch then counts the epochs that were raised.
func (r *Report) Add(other Report) {
	r.Events += other.Events
	r.Done += other.Done
	r.Refused += other.Refused
	r.Failed += other.Failed
	r.Unknown += other.Unknown
	r.Epoch += other.Epoch - 1
	for site, n := range other.Crashes {
		r.Crashes[site] += n
	}
	for of, n := range other.Types {
		r.Types[of] += n
	}
}
