// Package told says who is told of each event, of which type the notification is, and how it reaches them. It is one
// table, with a row for each event type of the contract. The fold of notifications asks it for everything that it
// writes; docs/told.md is written from the same table.
//
// A handler of the fold says what a notification says, and under which condition. The table says to whom it goes: a
// person whom a field of the event names, or a role that the fold resolves. Of everybody else whom the event names, the
// row says why they are not told.
package told

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Who is whom a notification is for: the name of a field of the event, or a role, in words.
type Who string

// The fields by which events name whom they tell.
const (
	User        Who = "user_id"
	Users       Who = "user_ids"
	ToUser      Who = "to_user_id"
	FromUser    Who = "from_user_id"
	OtherUser   Who = "other_user_id"
	RequestedBy Who = "requested_by"
	Debtor      Who = "debtor_id"
	Creditor    Who = "creditor_id"
	Collector   Who = "collector_id"
	Staff       Who = "staff_id"
)

// The roles. The fold resolves them by what it remembers.
const (
	GroupOwner      Who = "the group's owner"
	Validator       Who = "the group's validator"
	FormerValidator Who = "the validator before"
	Approvers       Who = "the group's approvers"
	Everyone        Who = "everybody in the group"
	Requester       Who = "who asked for the money"
	FirstDeciders   Who = "whose turn it is: the validator and the owner, or the approvers where the validator asks"
	Coverer         Who = "who paid it for them"
	AjoMembers      Who = "the ajo's members"
	AjoOwner        Who = "the ajo's owner"
	SeatHolders     Who = "the seat's holders"
	NextHolders     Who = "the next seat's holders"
	SwapHolders     Who = "the holders of both seats"
)

// Roles are all of them.
var Roles = []Who{
	GroupOwner, Validator, FormerValidator, Approvers, Everyone, Requester, FirstDeciders, Coverer,
	AjoMembers, AjoOwner, SeatHolders, NextHolders, SwapHolders,
}

// In appends the people whom this field of an event names. A role is no field, and names nobody.
func (w Who) In(m proto.Message, users []string) []string {
	r := m.ProtoReflect()
	field := r.Descriptor().Fields().ByName(protoreflect.Name(w))
	switch {
	case field == nil:
		return users
	case field.IsList():
		list := r.Get(field).List()
		for n := range list.Len() {
			users = append(users, list.Get(n).String())
		}
		return users
	default:
		return append(users, r.Get(field).String())
	}
}

// How is how a notification reaches people. It is always in the app.
type How int

// The ways. A type has one, and a telling may have another.
const (
	App    How = iota + 1
	Letter     // The notices of services write about what is stored.
	Digest     // It is not stored, but read from the payments, and written about every ten minutes.
	Raiser     // Who records the event writes at once.
)

// String says it in docs/told.md.
func (h How) String() string {
	return [...]string{App: "app", Letter: "app, letter", Digest: "app, digest of payments", Raiser: "app, letter at once by who records it"}[h]
}

// Telling is that people are told of an event by a notification of a type.
type Telling struct {
	Type string
	To   []Who
	But  []Who  // Who of them are not told by it.
	When string // In words; empty where they are always told.
	how  How
}

// How is how it reaches them.
func (t Telling) How() How {
	if t.how != 0 {
		return t.how
	}
	return HowOf(t.Type)
}

// Row is what an event tells. A person is told once by notifications of one type: by the first that is for them.
type Row struct {
	Tells  []Telling
	Untold map[Who]string // Why those are not told whom a field names; a part's is written as "steps.user_id".
	Nobody string         // Why nobody is told at all.
}

// Of is the row of an event. A type that is not in the table tells nobody.
func Of(m proto.Message) Row { return rows[m.ProtoReflect().Descriptor().Name()] }

// Events are the event types that have a row.
func Events() []protoreflect.Name { return slices.Sorted(maps.Keys(rows)) }

// Named is the row of an event type.
func Named(event protoreflect.Name) Row { return rows[event] }

// rows are all of them.
var rows = func() map[protoreflect.Name]Row {
	all := map[protoreflect.Name]Row{}
	for _, area := range []map[protoreflect.Name]Row{ofPeople, ofMoney, ofGroups, ofRequests, ofAjos, ofCases} {
		for event, row := range area {
			if _, twice := all[event]; twice {
				panic("told: two rows of " + event)
			}
			all[event] = row
		}
	}
	return all
}()

// Earlier is why an earlier version of an event type tells nobody.
const Earlier = "an earlier version, which is read as the newest"

// The reasons that many rows have.
const (
	did    = "did it"
	own    = "their own act, which concerns nobody else"
	counts = "a count beside the event that it follows from"
	bank   = "between Adashi and a bank"
)

// beside is the reason of an event whose people are told by another that is recorded with it.
func beside(events ...string) string {
	return "told by " + strings.Join(events, " or ") + ", recorded with it"
}

// later is the reason of an event whose people are told once it ends.
func later(events ...string) string { return "told by " + strings.Join(events, " or ") + " later" }

func tell(typ string, to ...Who) Telling { return Telling{Type: typ, To: to} }

func (t Telling) but(who ...Who) Telling {
	t.But = who
	return t
}

func (t Telling) when(condition string) Telling {
	t.When = condition
	return t
}

func (t Telling) by(how How) Telling {
	t.how = how
	return t
}

func tells(all ...Telling) Row { return Row{Tells: all, Untold: map[Who]string{}} }

func nobody(why string) Row { return Row{Nobody: why, Untold: map[Who]string{}} }

// not says why those are not told whom some fields name.
func (r Row) not(why string, fields ...Who) Row {
	for _, field := range fields {
		r.Untold[field] = why
	}
	return r
}
