// Package transitions lists the allowed events of each category of streams, and their order, one table for each
// category. It repeats what the packages of ledger/domain decide, and shares no code with them, so that the
// verification finds a mistake in either.
package transitions

import (
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"
)

// Stage is the current state of a stream's state machine. The names are those of the packages that decide.
type Stage uint8

// The stages. A stream begins at Nothing.
const (
	Nothing Stage = iota
	initiated
	pending
	confirmed
	failed
	expired
	reversed
	created
	active
	held
	ended
	paused
	closing
	validated
	approved
	retried
	heldRequested // On hold, with the stage before.
	heldValidated
	heldApproved
	Archived // The earlier events are archived, so any event may follow.
)

// step is an allowed transition.
type step struct {
	to     Stage
	from   []Stage
	begins bool // A stream that did not begin begins; otherwise the stage does not change.
	stays  bool // The stage of a stream that has begun does not change.
}

// rule is the step of an event type.
type rule struct {
	event reflect.Type
	step  func(proto.Message) step
}

// table is the rules of a category of streams, by event type.
type table map[reflect.Type]func(proto.Message) step

func of(rules ...rule) table {
	t := table{}
	for _, r := range rules {
		if t[r.event] != nil {
			panic("transitions: two rules for " + r.event.String())
		}
		t[r.event] = r.step
	}
	return t
}

// on is the rule of an event type that leads to a stage from one of some others.
func on[M proto.Message](to Stage, from ...Stage) rule {
	s := step{to: to, from: from}
	return rule{reflect.TypeFor[M](), func(proto.Message) step { return s }}
}

// begins is the rule of an event type that leads a new stream to its first stage, and leaves other stages unchanged.
func begins[M proto.Message](to Stage, within ...Stage) rule {
	s := step{to: to, from: within, begins: true}
	return rule{reflect.TypeFor[M](), func(proto.Message) step { return s }}
}

// when is the rule of an event type whose step depends on the event's content.
func when[M proto.Message](f func(M) step) rule {
	return rule{reflect.TypeFor[M](), func(m proto.Message) step { return f(m.(M)) }}
}

// stays is the rule of an event type that leaves the stage of a stream that has begun unchanged.
func stays[M proto.Message]() rule {
	return rule{reflect.TypeFor[M](), func(proto.Message) step { return step{stays: true} }}
}

// tables are the tables of all categories.
var tables = map[string]table{
	"payment": payments, "hold": holds, "withdrawal": withdrawals, "outflow": outflows, "bankcharge": bankCharges, "unmatched": arrivals, "sendback": sendBacks,
	"debt": debts, "cards": cards, "underway": underWay,
	"reserves": attestations, "reversal": reversals, "account": accounts, "ajoaccess": ajoAccess, "staff": staff, "standing": standingOrders,
	"liquidation": liquidations, "requests": openRequests, "mark": marks, "months": months, "waiver": waivers, "reminder": reminders,
	"dispute": disputes, "disputes": openDisputes, "disputed": disputedMoney, "correction": corrections, "adjusted": adjusted, "cardanswer": cardAnswers,
	"group": groups, "member": members, "sub": subAccounts, "dues": dues,
	"ajo": ajos, "ajocycle": ajoCycles, "ajopaid": ajoBooks, "ajodebt": ajoDebts, "ajocommit": ajoCommitments, "ajocard": ajoCards,
}

// Knows reports whether an event is allowed on a category's streams at all.
func Knows(category string, m proto.Message) bool { return tables[category][reflect.TypeOf(m)] != nil }

// Next answers the stage after an event on a stream of a category, and whether the event was allowed.
func Next(category string, at Stage, m proto.Message) (Stage, bool) {
	rule := tables[category][reflect.TypeOf(m)]
	if rule == nil {
		return at, false
	}
	s := rule(m)
	switch {
	case s.stays:
		return at, at != Nothing
	case at == Archived:
		return s.to, true
	case s.begins && at != Nothing:
		return at, slices.Contains(s.from, at)
	case s.begins:
		return s.to, true
	default:
		return s.to, slices.Contains(s.from, at)
	}
}
