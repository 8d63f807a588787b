// Package replay folds what concerns a member, a group or an account from events alone, up to a position or a time.
// Nothing that is derived is read: no balance, no snapshot, no read model.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Subject is whom or what is replayed: exactly one of these.
type Subject struct {
	Member  string // A user id.
	Group   string // A group id: the group with its sub-accounts.
	Account string // An account, such as wallet:… or pool:….
}

// Until says where to stop. The zero value is the head.
type Until struct {
	Position  int64     // After this one.
	Recorded  time.Time // As the ledger stood then.
	Effective time.Time // By what counts from then or before, whenever it was recorded.
}

// Options are what is replayed.
type Options struct {
	Subject
	Until
	Aggregates []event.Aggregate
	// Step, when given, hears of every event that concerns the subject, in order.
	Step     func(Step) error
	Progress func(done, total int64)
}

// Step is an event and what the subject's own accounts held after it, as far as the event moved them.
type Step struct {
	Record   *event.Record
	Message  proto.Message
	Balances map[string]money.Kobo
}

// State is what the events came to.
type State struct {
	Position int64                 // The last position that was read.
	Recorded time.Time             // When that was recorded, UTC.
	Events   int64                 // How many concerned the subject.
	Streams  map[string]Stream     // Of the streams concerned.
	Balances map[string]money.Kobo // Of the subject's own accounts.
}

// Stream is a stream's state.
type Stream struct {
	Version int64           `json:"version"`
	State   json.RawMessage `json:"state"`
}

// ErrUnknown is returned when no event concerns the subject.
var ErrUnknown = errors.New("no event is about it")

// Run replays, in two readings of the events: one finds the streams that are concerned, the other folds them from their
// beginning, which may be before they came to concern the subject. It fails with ErrUnknown, and with a
// *store.ArchivedError where events are archived.
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
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var head int64
		if err := tx.QueryRow(ctx, "SELECT pos FROM ledger_head").Scan(&head); err != nil {
			return err
		}
		to := head
		if opt.Position > 0 {
			if to = opt.Position; to > head {
				return fmt.Errorf("there is no position %d: the ledger ends at %d", to, head)
			}
		}
		if to == 0 {
			return nil
		}
		return r.read(ctx, tx.Conn(), to)
	})
	if err != nil {
		return State{}, err
	}
	return r.finish()
}

// read reads twice up to where the replay ends. Events that were recorded too late are skipped: a scan that is ended
// from here takes its connection with it.
func (r *replaying) read(ctx context.Context, conn *pgx.Conn, to int64) error {
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
				if err := s.fold(f); err != nil {
					return err
				}
			}
		}
		r.progress(to+facts[len(facts)-1].Pos, to)
		return nil
	})
}

// progress tells how much of the two readings is done.
func (r *replaying) progress(read, to int64) {
	if r.opt.Progress != nil {
		r.opt.Progress(read/2, to)
	}
}

// late reports whether something was recorded after the replay ends.
func (r *replaying) late(recorded time.Time) bool {
	return !r.opt.Recorded.IsZero() && recorded.After(r.opt.Recorded)
}

// replaying is a replay on its way.
type replaying struct {
	opt      Options
	folds    folds
	ids      [][]byte           // That make an event concern the subject: its id.
	accounts map[string]bool    // The subject's own.
	streams  map[string]*Folded // That concern the subject.
	state    State
}

func begin(opt Options) (*replaying, error) {
	r := &replaying{
		opt: opt, folds: foldsOf(opt.Aggregates), accounts: map[string]bool{}, streams: map[string]*Folded{},
		state: State{Streams: map[string]Stream{}, Balances: map[string]money.Kobo{}},
	}
	named := 0
	for _, id := range []string{opt.Member, opt.Group, opt.Account} {
		if id != "" {
			named++
			r.ids = append(r.ids, []byte(id))
		}
	}
	if named != 1 {
		return nil, errors.New("name one of a member, a group and an account")
	}
	if opt.Account != "" {
		r.accounts[opt.Account] = true
	}
	return r, nil
}

// counts reports whether an event that is effective from a time counts.
func (r *replaying) counts(effective time.Time) bool {
	return r.opt.Effective.IsZero() || !effective.After(r.opt.Effective)
}

// find takes an event of the first reading.
func (r *replaying) find(e *event.Record) error {
	r.state.Position, r.state.Recorded = e.Pos, e.RecordedAt
	known := r.streams[e.Stream] != nil
	if !r.counts(e.EffectiveAt) || !known && !r.mayConcern(e) {
		return nil
	}
	m, err := e.Message()
	if err != nil {
		return fmt.Errorf("position %d: %w", e.Pos, err)
	}
	if !known && !r.concerns(e, m) {
		return nil
	}
	return r.take(e, m)
}

// mayConcern looks for the subject's id in the bytes, which is cheap and finds too much rather than too little.
func (r *replaying) mayConcern(e *event.Record) bool {
	for _, line := range e.Lines {
		if r.owns(line.Account) {
			return true
		}
	}
	for _, id := range r.ids {
		if r.opt.Account == "" && (bytes.Contains(e.Body, id) || strings.Contains(e.Stream, string(id))) {
			return true
		}
	}
	return false
}

// concerns holds that the event moves one of the subject's accounts, or that its message names the subject.
func (r *replaying) concerns(e *event.Record, m proto.Message) bool {
	for _, line := range e.Lines {
		if r.owns(line.Account) {
			return true
		}
	}
	return r.opt.Account == "" && mentions(m.ProtoReflect(), string(r.ids[0]))
}

// owns reports whether an account is the subject's: a member's wallet and what is held of it, a group's pools.
func (r *replaying) owns(account string) bool {
	account = strings.TrimPrefix(account, "held:")
	return r.accounts[account] || r.opt.Member != "" && account == "wallet:"+r.opt.Member
}

// mentions reports whether a message has the id as one of its texts.
func mentions(m protoreflect.Message, id string) (found bool) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList() || f.IsMap():
		case f.Kind() == protoreflect.StringKind:
			found = v.String() == id
		case f.Message() != nil:
			found = mentions(v.Message(), id)
		}
		return !found
	})
	return found
}

// take notes an event that concerns the subject.
func (r *replaying) take(e *event.Record, m proto.Message) error {
	if _, err := r.folds.in(r.streams, e.Stream); err != nil {
		return fmt.Errorf("position %d: %w", e.Pos, err)
	}
	if opened, ok := m.(interface {
		GetGroupId() string
		GetSubAccountId() string
	}); ok && r.opt.Group != "" && opened.GetGroupId() == r.opt.Group {
		r.accounts["pool:"+opened.GetSubAccountId()] = true
	}
	r.state.Events++
	moved := map[string]money.Kobo{}
	for _, line := range e.Lines {
		if r.owns(line.Account) {
			// Summed, not read: events that do not count yet are left out.
			account := strings.Clone(line.Account)
			r.state.Balances[account] += line.Amount
			moved[account] = r.state.Balances[account]
		}
	}
	if r.opt.Step == nil {
		return nil
	}
	return r.opt.Step(Step{Record: e, Message: m, Balances: moved})
}

func (r *replaying) finish() (State, error) {
	if r.state.Events == 0 {
		return State{}, ErrUnknown
	}
	for name, f := range r.streams {
		frozen, err := f.aggregate.Freeze(f.State)
		if err != nil {
			return State{}, fmt.Errorf("the state of %s: %w", name, err)
		}
		r.state.Streams[name] = Stream{Version: f.Version, State: frozen}
	}
	return r.state, nil
}
