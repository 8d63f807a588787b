// Package event defines the recorded event, with its exact bytes and leaf hash, and the few types that deciders, the
// store, the relay and the projections share.
package event

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	// The event messages register themselves; they are the registry.
	_ "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
)

// Draft is an event that a decider wants recorded.
type Draft struct {
	Stream  string
	Message proto.Message
}

// On is the draft of a message on a stream.
func On(stream string, message proto.Message) Draft { return Draft{Stream: stream, Message: message} }

// View is what a decider may see: the state of the streams and the balances of the accounts its command named.
type View interface {
	// State is the folded state of a stream; the aggregate's zero state when the stream has no event.
	State(stream string) any
	// Balance is an account's balance in kobo; 0 for an account without postings.
	Balance(account string) money.Kobo
}

// Command is a request, decided purely: no clock, no random, no I/O. It contains the times and ids that it needs.
type Command interface {
	// Streams names every stream that Decide reads or writes.
	Streams() []string
	// Accounts names every account that Decide reads or whose balance its events change.
	Accounts() []string
	// Decide answers the events to record, or a *fault.Fault that says why not.
	Decide(View) ([]Draft, error)
}

// Dated is a command that decides by a time of its own, such as the day whose limit it uses. Its events count from that
// time unless another is given, so they are of the same day as the decision.
type Dated interface{ DecidesAt() time.Time }

// DecidesAt is the time that a command decides by; zero where it has none of its own.
func DecidesAt(c Command) time.Time {
	if dated, is := c.(Dated); is {
		return dated.DecidesAt()
	}
	return time.Time{}
}

// StateOf is the typed state of a stream. It panics when the stream belongs to another aggregate: a bug.
func StateOf[S any](v View, stream string) S { return v.State(stream).(S) }

// Happened is an event as a fold sees it.
type Happened struct {
	Message     proto.Message
	EffectiveAt time.Time // When it counts from, UTC.
	RecordedAt  time.Time // When the ledger recorded it, UTC.
}

// Aggregate folds the streams of one category, the part of a stream's name before its first colon.
type Aggregate struct {
	Category string
	Fold     int32 // The version of the state and of the fold: snapshots of another version are not used.
	Zero     any
	Evolve   func(state any, e Happened) any
	// EvolveAll evolves a state by several events, and allocates less than single steps.
	EvolveAll func(state any, events []Happened) any
	Freeze    func(state any) ([]byte, error) // Encodes a state.
	Thaw      func(frozen []byte) (any, error)
}

// Of makes an aggregate from a typed fold and its version, which goes up whenever the state or the fold changes. Evolve
// must not keep or change its arguments. The state must survive JSON unchanged.
func Of[S any](category string, fold int32, evolve func(S, Happened) S) Aggregate {
	var zero S
	return Aggregate{
		Category: category, Fold: fold, Zero: zero,
		Evolve: func(state any, e Happened) any { return evolve(state.(S), e) },
		EvolveAll: func(state any, events []Happened) any {
			s := state.(S)
			for _, e := range events {
				s = evolve(s, e)
			}
			return s
		},
		Freeze: json.Marshal,
		Thaw: func(frozen []byte) (any, error) {
			var state S
			err := jsonv2.Unmarshal(frozen, &state, asMarshaled)
			return state, err
		},
	}
}

// asMarshaled makes encoding/json/v2 read the output of the first version, in half of the first one's time.
var asMarshaled = jsonv2.JoinOptions(jsonv1.FormatByteArrayAsArray(true), jsonv1.FormatDurationAsNano(true))

// DeriveID makes an id from a command's id and a role such as "group", so that a retry makes the same one.
func DeriveID(command uuid.UUID, role string) uuid.UUID {
	sum := sha256.Sum256(append(append([]byte("adashi id v1\x00"), command[:]...), role...))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80 // Version 8: made by the application.
	id[8] = id[8]&0x3f | 0x80
	return id
}

// TypeOf is the name that a message is recorded under, such as naira.v1.ContributionReceived.
func TypeOf(m proto.Message) string { return string(m.ProtoReflect().Descriptor().FullName()) }

// Decode reads a recorded body and upcasts it, so that a message of a superseded type comes back as its current one. It
// fails on a type that this build does not know.
func Decode(typ string, body []byte) (_ proto.Message, err error) {
	defer guard.Into(&err)
	m, err := DecodeRecorded(typ, body)
	if err != nil {
		return nil, err
	}
	return upcasters.current(m), nil
}

// DecodeRecorded reads a recorded body as the type that was recorded, superseded or not. It is for code that shows or
// proves a record; code that acts on one uses Decode. It fails on a type that this build does not know.
func DecodeRecorded(typ string, body []byte) (proto.Message, error) {
	mt, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(typ))
	if err != nil {
		return nil, fmt.Errorf("event: unknown type %q: %w", typ, err)
	}
	m := mt.New().Interface()
	if err := proto.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("event: decode %s: %w", typ, err)
	}
	return m, nil
}
