// Package replay folds the events that concern a member, a group, an ajo or an account, up to a position or a time. A
// Reader finds the events by the trail, starting from a keyframe; Run reads all events and needs nothing else.
package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Subject is the member, group, ajo or account to replay: exactly one of these.
type Subject struct {
	Member  string // A user id.
	Group   string // A group id: the group with its sub-accounts.
	Ajo     string // An ajo id: the ajo with its pots and deposits.
	Account string // An account, such as wallet:… or pool:….
}

// String is the subject's kind and id.
func (s Subject) String() string {
	switch {
	case s.Member != "":
		return "member:" + s.Member
	case s.Group != "":
		return "group:" + s.Group
	case s.Ajo != "":
		return "ajo:" + s.Ajo
	}
	return "account:" + s.Account
}

// ParseSubject reads a text that String wrote.
func ParseSubject(text string) (s Subject, err error) {
	of, id, _ := strings.Cut(text, ":")
	switch of {
	case "member":
		s.Member = id
	case "group":
		s.Group = id
	case "ajo":
		s.Ajo = id
	case "account":
		s.Account = id
	}
	_, _, err = s.named()
	return s, err
}

// named answers the kind and id that messages name; no kind for an account. It fails unless exactly one field is set.
func (s Subject) named() (of kind, id string, err error) {
	names := 0
	for k, name := range map[kind]string{member: s.Member, group: s.Group, ajo: s.Ajo, 0: s.Account} {
		if name != "" {
			of, id = k, name
			names++
		}
	}
	if names != 1 {
		return 0, "", errors.New("name one of a member, a group, an ajo and an account")
	}
	return of, id, nil
}

// NamedBy reports whether a message names the subject; no message names an account.
func (s Subject) NamedBy(m proto.Message) bool {
	of, id, err := s.named()
	return err == nil && of != 0 && mentions(m.ProtoReflect(), of, id)
}

// Until says where to stop. The zero value is the head.
type Until struct {
	Position  int64     // After this one.
	Recorded  time.Time // The ledger as it was at that time.
	Effective time.Time // All events that count from that time or before, whenever they were recorded.
}

// Options say what to replay.
type Options struct {
	Subject
	Until
	Aggregates []event.Aggregate
	// Step, when given, gets every event that concerns the subject, in order, from the first on.
	Step     func(Step) error
	Progress func(done, total int64)
}

// Step is an event and the balances that it leaves in the subject's own accounts that it moved.
type Step struct {
	Record   *event.Record
	Message  proto.Message
	Balances map[string]money.Kobo
}

// State is the result of a replay.
type State struct {
	Position int64                 // The last position that was read.
	Recorded time.Time             // When it was recorded, UTC.
	Events   int64                 // How many events name the subject, or move one of its accounts.
	Streams  map[string]Stream     // The streams of those events, after all events of each stream.
	Balances map[string]money.Kobo // Of the subject's own accounts.
	Keyframe int64                 // The position of the keyframe that it was folded from; 0 from the beginning.
	// OnlyBalance says that Events and Streams are not set: for an account of the house a Reader reads only its last
	// event.
	OnlyBalance bool
}

// Stream is a stream's state.
type Stream struct {
	Version int64           `json:"version"`
	State   json.RawMessage `json:"state"`
}

// ErrUnknown is returned when no event concerns the subject.
var ErrUnknown = errors.New("no event is about it")

// stream is a stream that concerns the subject. Its state is folded, or frozen as in a keyframe.
type stream struct {
	Folded
	seen   int64 // The version up to which its events were examined; the state leaves out those that do not count.
	frozen json.RawMessage
	whole  bool // The trail lists all of its events.
}

// fold takes the stream's next event.
func (s *stream) fold(happened event.Happened, version int64) error {
	if s.frozen != nil {
		state, err := s.aggregate.Thaw(s.frozen)
		if err != nil {
			return fmt.Errorf("a frozen state: %w", err)
		}
		s.State, s.frozen = state, nil
	}
	s.State, s.Version = s.aggregate.Evolve(s.State, happened), version
	return nil
}

// freeze writes the state down.
func (s *stream) freeze() (json.RawMessage, error) {
	if s.frozen == nil {
		frozen, err := s.aggregate.Freeze(s.State)
		if err != nil {
			return nil, err
		}
		s.frozen = frozen
	}
	return s.frozen, nil
}

// replaying is a running replay.
type replaying struct {
	opt      Options
	folds    folds
	kind     kind // The kind that messages name; none for an account.
	id       string
	raw      []byte             // The id.
	accounts map[string]bool    // The subject's own accounts in the events so far.
	streams  map[string]*stream // The streams that concern the subject.
	state    State
}

func begin(opt Options) (*replaying, error) {
	of, id, err := opt.named()
	if err != nil {
		return nil, err
	}
	r := &replaying{
		opt: opt, folds: foldsOf(opt.Aggregates), kind: of, id: id, raw: []byte(id), accounts: map[string]bool{}, streams: map[string]*stream{},
		state: State{Balances: map[string]money.Kobo{}},
	}
	if of == 0 {
		r.accounts[id] = true
	}
	return r, nil
}

// counts reports whether an event that is effective from a time counts.
func (r *replaying) counts(effective time.Time) bool {
	return r.opt.Effective.IsZero() || !effective.After(r.opt.Effective)
}

// mayConcern looks for the subject's id in the bytes, which is cheap and finds too much rather than too little.
func (r *replaying) mayConcern(e *event.Record) bool {
	return r.moves(e) || r.kind != 0 && bytes.Contains(e.Body, r.raw)
}

// concerns reports whether the event moves one of the subject's accounts, or its message names the subject.
func (r *replaying) concerns(e *event.Record, m proto.Message) bool {
	return r.moves(e) || r.kind != 0 && mentions(m.ProtoReflect(), r.kind, r.id)
}

func (r *replaying) moves(e *event.Record) bool {
	for i := range e.Lines {
		if r.owns(e.Lines[i].Account) {
			return true
		}
	}
	return false
}

// owns reports whether an account is the subject's: a member's wallet, debt, deposits and cards, a group's pools, an
// ajo's pots and deposits, and the holds on each.
func (r *replaying) owns(account string) bool {
	if r.accounts[account] {
		return true
	}
	account = strings.TrimPrefix(account, "held:")
	of, id, _ := strings.Cut(account, ":")
	switch {
	case r.accounts[account]:
		return true
	case r.kind == member && (of == "wallet" || of == "owed"):
		return id == r.id
	case r.kind == member && of == "deposit":
		_, user, _ := strings.Cut(id, ":")
		return user == r.id
	case r.kind == ajo && (of == "pot" || of == "deposit"):
		of, _, _ := strings.Cut(id, ":")
		return of == r.id
	}
	return false
}

// learn notes an account of the subject that is in an event about it.
func (r *replaying) learn(m proto.Message) {
	switch r.kind {
	case group:
		if told, ok := m.(interface {
			GetGroupId() string
			GetSubAccountId() string
		}); ok && told.GetGroupId() == r.id {
			r.accounts["pool:"+told.GetSubAccountId()] = true
		}
	case member:
		if told, ok := m.(interface {
			GetUserId() string
			GetCardId() string
		}); ok && told.GetUserId() == r.id {
			r.accounts["card:"+told.GetCardId()] = true
		}
	}
}

// stream is a stream that concerns the subject; it begins if it is not there.
func (r *replaying) stream(name string) (*stream, error) {
	if s := r.streams[name]; s != nil {
		return s, nil
	}
	f, err := r.folds.begin(name)
	if err != nil {
		return nil, err
	}
	s := &stream{Folded: *f}
	r.streams[strings.Clone(name)] = s
	return s, nil
}

// take notes an event that concerns the subject.
func (r *replaying) take(e *event.Record, m proto.Message) error {
	r.learn(m)
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
	if r.state.Events == 0 && !r.state.OnlyBalance {
		return State{}, ErrUnknown
	}
	r.state.Streams = make(map[string]Stream, len(r.streams))
	for name, s := range r.streams {
		frozen, err := s.freeze()
		if err != nil {
			return State{}, fmt.Errorf("the state of %s: %w", name, err)
		}
		r.state.Streams[name] = Stream{Version: s.Version, State: frozen}
	}
	return r.state, nil
}
