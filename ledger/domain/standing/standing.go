// Package standing says what a person may do in the standing that they have. It is one table, standing × act, and one
// call, May, that every area asks. docs/standing.md is written from the same table.
//
// An account has exactly one of these standings, which its stream says:
//
//	Open ⇄ Frozen        its owner froze it, because somebody else may be using it
//	Open, Frozen ──▶ Closed    for ever; an erased account is a closed one whose data is gone
//
// The others say what a person is to one matter: a minor, somebody who decides about themselves, a party of a case,
// somebody who is tied to the payee, or somebody who is no active member of the group. A decider knows those from the
// command or from the streams of the matter, and asks Standing.May.
package standing

import (
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Standing is what a person is, when they act or when something is done to them.
type Standing int

// The standings. The first three are those of an account.
const (
	Open Standing = iota
	Frozen
	Closed
	Minor // Not 18 yet.
	Ward  // Not 18 yet, and no guardian has consented.
	Own   // It is their own matter: they are staff or an official and would decide about themselves.
	Party // They are staff and are, or were, in the group or ajo that a case is about, or tied to it otherwise.
	Tied  // They share a bank account or a BVN with the person whom it is about.

	// To a group, of somebody who is no active member.

	Stranger // They are not in the group, or left it.
	Invited
	Waiting // They asked to join, and nobody has answered.
	Inactive
)

// Account is the state of an account's stream, which knows its own standing.
type Account interface{ Standing() Standing }

// Stream is the stream of a person's account.
func Stream(user string) string { return "account:" + user }

// Of is the standing of a person's account. The command that asks must name the account's stream.
func Of(v event.View, user string) Standing { return v.State(Stream(user)).(Account).Standing() }

// Earlier is a view of a history that an earlier build decided. Cells that earlier builds did not have refuse nothing
// there.
type Earlier interface{ IsEarlier() }

// May refuses an act to a person by the standing of their account. The command must name the account's stream. words
// fill in the sentence of an act that has places for them.
func May(v event.View, user string, act Act, words ...any) error {
	r, refused := table[act].refused[Of(v, user)]
	if _, earlier := v.(Earlier); !refused || earlier && r.since == today {
		return nil
	}
	return r.fault(words)
}

// May refuses an act to a person by what they are to the matter, which the decider knows.
func (s Standing) May(act Act) error {
	if r, refused := table[act].refused[s]; refused {
		return r.fault(nil)
	}
	return nil
}

// Decides is a command by which a person decides something. A closed account is told so before anything else; the owner
// of a frozen one who may not do it at all is told that first.
func Decides(user string, act Act, c event.Command) event.Command { return decides{c, user, act} }

type decides struct {
	event.Command
	user string
	act  Act
}

// Streams implements event.Command.
func (c decides) Streams() []string { return append(c.Command.Streams(), Stream(c.user)) }

// DecidesAt implements event.Dated.
func (c decides) DecidesAt() time.Time { return event.DecidesAt(c.Command) }

// Decide implements event.Command.
func (c decides) Decide(v event.View) ([]event.Draft, error) {
	if err := May(v, c.user, Cancel); err != nil {
		return nil, err
	}
	drafts, err := c.Command.Decide(v)
	if err == nil {
		err = May(v, c.user, c.act)
	}
	if err != nil {
		return nil, err
	}
	return drafts, nil
}

// refusal is what a cell of the table answers.
type refusal struct {
	code  fault.Code
	says  string // A format, where the act has words.
	since since
}

func (r refusal) fault(words []any) error { return fault.New(r.code, r.says, words...) }

// since is which builds asked a cell.
type since bool

const (
	always since = false
	today  since = true // Earlier builds did not ask it: what they decided stays as it is.
)
