package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
)

// Disk is the ledger's tables in memory, as Postgres keeps them: reads see committed data, one transaction at a time
// holds the head's lock, and a transaction is written whole or not at all. Processes reach it through Backend and
// Source.
type Disk struct {
	lock chan struct{} // Holds a token while no transaction has the head's lock.

	mu        sync.Mutex
	epoch     int
	epochs    []raised
	tip       store.Tip
	tips      []store.Tip // After each commit that moved it.
	rows      map[int64]row
	versions  map[string][]int64 // The positions of each stream's events, by version.
	commands  map[uuid.UUID]store.Recorded
	balances  map[string]money.Kobo // As of settled.
	settled   int64
	snapshots map[frozen]store.Snapshot
	refusals  map[uuid.UUID]refusal
}

// raised is an epoch that ended, with the ledger's last position when it did.
type raised struct {
	epoch int
	head  int64
}

type refusal struct {
	store.Refusal
	at   time.Time
	head int64 // The ledger's last position when it was written.
}

// row is an event as it was written.
type row struct {
	record event.Record
	leaf   [32]byte
}

type frozen struct {
	stream string
	fold   int32
}

// NewDisk is an empty ledger.
func NewDisk() *Disk {
	d := &Disk{
		lock: make(chan struct{}, 1), epoch: 1, tip: store.Tip{RecordedAt: time.Unix(0, 0).UTC()}, rows: map[int64]row{}, versions: map[string][]int64{},
		commands: map[uuid.UUID]store.Recorded{}, balances: map[string]money.Kobo{},
		snapshots: map[frozen]store.Snapshot{}, refusals: map[uuid.UUID]refusal{},
	}
	d.lock <- struct{}{}
	return d
}

// HoldLock takes the head's lock, so that nobody can append until it is released.
func (d *Disk) HoldLock() (release func()) {
	<-d.lock
	return func() { d.lock <- struct{}{} }
}

// Head is the last position.
func (d *Disk) Head() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tip.Pos
}

// Epoch is the ledger's epoch.
func (d *Disk) Epoch() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.epoch
}

// Balance is an account's balance.
func (d *Disk) Balance(account string) money.Kobo {
	d.mu.Lock()
	defer d.mu.Unlock()
	kobo, _ := d.balance(account)
	return kobo
}

// balance is an account's balance at the ledger's end, and whether it was ever posted to. The caller holds d.mu.
func (d *Disk) balance(account string) (kobo money.Kobo, posted bool) {
	kobo, posted = d.balances[account]
	for pos := d.settled + 1; pos <= d.tip.Pos; pos++ {
		for _, line := range d.rows[pos].record.Lines {
			if line.Account == account {
				kobo, posted = line.Balance, true
			}
		}
	}
	return kobo, posted
}

// Leaf is the leaf hash that was written with an event.
func (d *Disk) Leaf(pos int64) [32]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rows[pos].leaf
}

// Refused reports whether a command's refusal is remembered.
func (d *Disk) Refused(command uuid.UUID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.refusals[command]
	return ok
}

// Read answers the records after a position as store.Read does.
func (d *Disk) Read(after int64, limit int) ([]event.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []event.Record
	for pos := after + 1; pos <= d.tip.Pos && len(out) < limit; pos++ {
		r, ok := d.rows[pos]
		if !ok && len(out) == 0 {
			return nil, &history.ArchivedError{From: pos, To: pos}
		}
		if !ok {
			break
		}
		out = append(out, clone(r.record))
	}
	return out, nil
}

// clone copies a record without sharing anything that changes.
func clone(r event.Record) event.Record {
	r.Body, r.Lines = slices.Clone(r.Body), slices.Clone(r.Lines)
	return r
}

// copied copies the writes, as a network does: later changes by the writer do not reach the copy.
func copied(w store.Writes) store.Writes {
	records := make([]*event.Record, len(w.Records))
	for i, r := range w.Records {
		r := clone(*r)
		records[i] = &r
	}
	w.Records = records
	return w
}

// load answers committed data. The caller holds d.mu.
func (d *Disk) load(n store.Need) (store.Found, error) {
	if n.Settle {
		if err := d.settle(); err != nil {
			return store.Found{}, err
		}
	}
	found := store.Found{Balances: map[string]money.Kobo{}, Settled: d.settled}
	for i, name := range n.Streams {
		snapshot := d.snapshots[frozen{name, n.Folds[i]}]
		found.Snapshots = append(found.Snapshots, d.frozen(name, n.Folds[i])...)
		for _, pos := range d.versions[name][min(snapshot.Version, int64(len(d.versions[name]))):] {
			r := clone(d.rows[pos].record)
			found.Events = append(found.Events, event.Record{
				Pos: r.Pos, Stream: r.Stream, Version: r.Version, Type: r.Type, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt, Body: r.Body,
			})
		}
	}
	if n.Tail {
		found.Tail = d.tail(n.From)
	}
	for _, account := range n.Accounts {
		kobo, ok := d.balances[account]
		if n.Now {
			kobo, ok = d.balance(account)
		}
		if ok {
			found.Balances[account] = kobo
		}
	}
	asked := map[uuid.UUID]bool{}
	for _, id := range n.Recorded {
		c := d.commands[id]
		if asked[id] {
			continue // The need is a set.
		}
		asked[id] = true
		for pos := c.Pos; pos < c.Pos+int64(c.Events); pos++ {
			found.Recorded = append(found.Recorded, clone(d.rows[pos].record))
		}
	}
	slices.SortFunc(found.Recorded, func(a, b event.Record) int { return cmp.Compare(a.Pos, b.Pos) })
	clear(asked)
	for _, id := range n.Refused {
		if r, ok := d.refusals[id]; ok && !asked[id] {
			asked[id] = true
			r.Actor = "" // Nobody asks for it.
			found.Refusals = append(found.Refusals, r.Refusal)
		}
	}
	found.Tried = d.tried(n)
	return found, nil
}

// tried counts actors' refusals.
func (d *Disk) tried(n store.Need) map[string]int {
	if len(n.Tried) == 0 {
		return nil
	}
	counts := map[string]int{}
	for _, r := range d.refusals {
		if slices.Contains(n.Tried, r.Actor) && !r.at.Before(n.TriedSince) {
			counts[r.Actor]++
		}
	}
	return counts
}

// frozen are a stream's snapshots, those of other folds without their state.
func (d *Disk) frozen(stream string, fold int32) (out []store.Snapshot) {
	for key, snapshot := range d.snapshots {
		if key.stream != stream {
			continue
		}
		if key.fold != fold {
			snapshot.State = nil
		}
		out = append(out, snapshot)
	}
	slices.SortFunc(out, func(a, b store.Snapshot) int {
		return cmp.Or(cmp.Compare(a.Version, b.Version), cmp.Compare(a.Fold, b.Fold))
	})
	return out
}

// tail is the events from a position on: the fields that a fold needs, and the lines' balances.
func (d *Disk) tail(from int64) []store.Followed {
	var out []store.Followed
	for pos := max(1, from); len(out) <= store.TailMax; pos++ {
		row, ok := d.rows[pos]
		if !ok {
			break
		}
		r := clone(row.record)
		for i := range r.Lines {
			r.Lines[i].Amount = 0 // Nobody asks for it.
		}
		out = append(out, store.Followed{Leaf: row.leaf, Record: event.Record{
			Pos: r.Pos, Stream: r.Stream, Version: r.Version, Type: r.Type, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt, Body: r.Body, Lines: r.Lines,
		}})
	}
	return out
}

// check checks writes against the constraints of the tables.
func (d *Disk) check(w store.Writes) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := make([]uuid.UUID, 0, len(w.Commands)+len(w.Refusals))
	for _, c := range w.Commands {
		ids = append(ids, c.Command)
	}
	for _, r := range w.Refusals {
		ids = append(ids, r.Command)
	}
	once := map[any]bool{}
	for _, id := range ids {
		if _, ok := d.commands[id]; ok || once[id] {
			return fmt.Errorf("%w: commands_pkey (%s)", store.ErrConstraint, id)
		}
		once[id] = true
	}
	return d.checkEvents(w.Records)
}

// checkEvents checks the constraints of the table of events. The caller holds d.mu.
func (d *Disk) checkEvents(records []*event.Record) error {
	next := map[string]int64{}
	for i, r := range records {
		if _, ok := next[r.Stream]; !ok {
			next[r.Stream] = int64(len(d.versions[r.Stream])) + 1
		}
		var sum money.Kobo
		for _, line := range r.Lines {
			sum += line.Amount
		}
		switch _, taken := d.rows[r.Pos]; {
		case taken || i > 0 && r.Pos <= records[i-1].Pos:
			return fmt.Errorf("%w: events_pkey (%d)", store.ErrConstraint, r.Pos)
		case r.Version < next[r.Stream]:
			return fmt.Errorf("%w: events_stream_version (%s, %d)", store.ErrConstraint, r.Stream, r.Version)
		case r.Correlation == unwritable:
			return fmt.Errorf("%w: %s", store.ErrConstraint, unwritable)
		case len(r.Lines) > 8:
			return fmt.Errorf("%w: events_lines", store.ErrConstraint)
		case sum != 0:
			return fmt.Errorf("%w: events_balanced", store.ErrConstraint)
		case slices.ContainsFunc(r.Lines, func(l event.Line) bool { return l.Balance < 0 && posting.Floored(l.Account) }):
			return fmt.Errorf("%w: events_floor", store.ErrConstraint)
		}
		next[r.Stream]++
	}
	return nil
}

// write writes checked rows.
func (d *Disk) write(w store.Writes) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range w.Commands {
		d.commands[c.Command] = c
	}
	for i, r := range w.Records {
		d.rows[r.Pos] = row{*r, w.Leaves[i]}
		d.versions[r.Stream] = append(d.versions[r.Stream], r.Pos)
	}
	if len(w.Records) > 0 {
		d.tip = w.Tip
		d.tips = append(d.tips, w.Tip)
	}
	for _, s := range w.Snapshots {
		if key := (frozen{s.Stream, s.Fold}); d.snapshots[key].Version < s.Version {
			d.snapshots[key] = s
		}
	}
	for _, r := range w.Refusals {
		d.commands[r.Command] = store.Recorded{Command: r.Command}
		d.refusals[r.Command] = refusal{r, w.Tip.RecordedAt, d.tip.Pos}
	}
}

// Done reports whether a command's events are recorded.
func (d *Disk) Done(command uuid.UUID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.commands[command].Events > 0
}
